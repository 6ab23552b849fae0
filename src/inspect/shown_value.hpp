// SPDX-License-Identifier: Apache-2.0
// Elements of the state as text, in the form that "as FORMAT" names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tessera/core.hpp"
#include "tessera/data_format.hpp"

namespace tessera::inspect {

/// The form that "as" names. Neither: the section's usual form.
struct ShownAs {
    std::optional<DataFormat> format;
    bool hex = false;
};

/// "hex" or a format's name. Error "state.format".
Result<ShownAs> read_shown_as(std::string_view text);

/// Error "state.format": values of the section have no such format. The message lists those that they have.
Result<void> check_shown_as(const Section& section, const ShownAs& as);

/// The elements that a value consists of: the bytes of a datum in L1, otherwise 1.
std::size_t elements_of_value(const Section& section, const ShownAs& as);

/// Prints single values of a section. Requires check_shown_as().
class ShownValue {
public:
    ShownValue(const Core& core, const Section& section, const ShownAs& as);

    /// The value that begins with that element.
    std::string operator()(std::size_t element);

private:
    std::string number(std::size_t element);
    std::string datum_of_l1(std::size_t element) const;
    std::string datum_of_source(std::size_t element) const;
    std::string datum_of_dst(std::size_t element);

    const Core& core_;
    const Section& section_;
    ShownAs as_;
    std::size_t tile_ = 0;            ///< of Dst, whose values follow
    std::vector<float> tile_values_;  ///< empty: none read yet
};

}  // namespace tessera::inspect
