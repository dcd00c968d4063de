#pragma once
// A first look at an XML file, before hwloc gets it: is it a topology, in which format, and has it what hwloc
// needs in order not to crash?
// Private to this room.

#include <string>
#include <string_view>

namespace spillway {

struct XmlHeader {
  std::string error;    ///< why hwloc must not see it; empty otherwise
  std::string version;  ///< of <topology>: "1.0" where it says none, else as written, e.g. "3.0"
  int major = 0;        ///< of version; 0 where that is no number
};

XmlHeader read_xml_header(std::string_view text);

}  // namespace spillway
