// SPDX-License-Identifier: Apache-2.0
#include "reference/noc/request/perform.hpp"

#include "reference/noc/registers.hpp"
#include "reference/noc/request/kinds.hpp"
#include "reference/noc/request/request.hpp"

namespace tessera::reference::noc {

namespace {

Checked<> perform_kind(const Request& request) {
    switch (request.kind) {
        case NOC_CMD_RD: return read(request);
        case NOC_CMD_AT: return atomic(request);
        default: return request.inlined ? write_inline(request) : write(request);
    }
}

}  // namespace

std::string perform(Chip& chip, Tile& tile, unsigned noc, unsigned initiator) {
    Request request(chip, tile, noc, initiator);
    Checked<> done = legal(request);
    if (done) done = request.translate_coordinates();
    if (done) done = request.continue_transaction();
    if (done) done = perform_kind(request);
    return done ? "" : done.error();
}

}  // namespace tessera::reference::noc
