// SPDX-License-Identifier: Apache-2.0
// Names of the engine's port in this room.
#pragma once

#include "engine/port.hpp"

namespace tessera::tile {

using Cycle = engine::Cycle;
using By = engine::Port::By;
using Written = engine::Port::Written;
using Asker = engine::Port::Asker;

}  // namespace tessera::tile
