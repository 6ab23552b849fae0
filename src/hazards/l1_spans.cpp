// SPDX-License-Identifier: Apache-2.0
#include "hazards/l1_spans.hpp"

#include "util/set_bits.hpp"

namespace tessera::hazards {

void L1Spans::check(const Requester& now, const plan::Access& access, bool atomic, Conflicts& conflicts) {
    const std::uint32_t first = access.first, last = access.first + access.count - 1;
    for (const unsigned stream : util::SetBits(used_ & ~now.in_order_by_itself())) {
        const Stream& other = streams_[stream];
        if (!other.may_meet(first, last, access.write) || now.comes_after(other.last)) continue;
        for (const Span& span : other.spans) {
            if (span.last < first || span.first > last || !(span.write || access.write)) continue;
            if ((span.atomic && atomic) || span.who.same_instruction(now.self)) continue;
            if (!now.comes_after(span.who)) conflicts.add(Conflict::with(span.who, plan::Storage::l1, first, last));
        }
    }
    used_ |= std::uint64_t{1} << now.stream;
    Stream& own = streams_[now.stream];
    own.last = now.self;
    const Span span{first, last, access.write, atomic, now.self};
    const std::size_t place = own.next++ % remembered;
    if (place == 0) {
        own.before = own.now;
        own.now = {};
    }
    own.now.add(span);
    if (own.spans.size() < remembered)
        own.spans.push_back(span);
    else
        own.spans[place] = span;
}

}  // namespace tessera::hazards
