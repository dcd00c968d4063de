#include "sim/base/units.hpp"

#include <random>

#include "tests/support/catch.hpp"

using namespace spillway;

namespace {

std::int64_t ps(std::string_view text) {
  const auto parsed = parse_duration(text);
  INFO(text << ": " << parsed.error);
  REQUIRE(parsed);
  return (*parsed).count();
}

bool says(const std::string& error, std::string_view part) { return error.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a time is converted to picoseconds exactly") {
  CHECK(ps("7ps") == 7);
  CHECK(ps("290ns") == 290'000);
  CHECK(ps("15.4ns") == 15'400);
  CHECK(ps("85us") == 85'000'000);
  CHECK(ps("85 us") == 85'000'000);
  CHECK(ps("1.5ms") == 1'500'000'000);
  CHECK(ps("10s") == 10'000'000'000'000);
  CHECK(ps("2min") == 120'000'000'000'000);
  CHECK(ps("0.3us") == 300'000);
  CHECK(ps("1.000us") == 1'000'000);
  CHECK(ps("0s") == 0);
  CHECK(ps("123456.789012us") == 123'456'789'012);
}

TEST_CASE("a time that is no whole number of picoseconds or too long is an error") {
  CHECK(says(parse_duration("0.5ps").error, "whole number of picoseconds"));
  CHECK(says(parse_duration("3000h").error, "too large"));
  CHECK(says(parse_duration("99999999999999999999s").error, "digits"));
  CHECK(parse_duration("9223372036854775807ps"));
  CHECK_FALSE(parse_duration("9223372036854775808ps"));
}

TEST_CASE("a time without a unit or with an unknown one shows the right spelling") {
  for (const auto* text :
       {"85", "", "us", "-1us", "85 uss", "1e3us", "85us us", ".5us", "5.us", "85US", "85Us", "0x5us"}) {
    const auto parsed = parse_duration(text);
    INFO(text);
    CHECK_FALSE(parsed);
    CHECK(says(parsed.error, "\"85us\""));
  }
}

TEST_CASE("decimal and binary units of bytes never mix") {
  CHECK((*parse_bytes("1MB")).value == 1'000'000);
  CHECK((*parse_bytes("1MiB")).value == 1'048'576);
  CHECK((*parse_bytes("512KiB")).value == 524'288);
  CHECK((*parse_bytes("1kB")).value == 1'000);
  CHECK((*parse_bytes("0.5KiB")).value == 512);
  for (const auto* text : {"1KB", "4k", "1M", "1mb", "1Mib", "1MB/s"}) {
    INFO(text);
    CHECK_FALSE(parse_bytes(text));
  }
  CHECK(says(parse_bytes("0.3KiB").error, "whole number of bytes"));
  CHECK(says(parse_bytes("1KB").error, "KiB"));
}

TEST_CASE("a bandwidth is in bytes per second and rounded to one") {
  CHECK((*parse_bandwidth("6.5GB/s")).bytes_per_second == 6'500'000'000);
  CHECK((*parse_bandwidth("10GiB/s")).bytes_per_second == 10'737'418'240);
  CHECK((*parse_bandwidth("1.1GiB/s")).bytes_per_second == 1'181'116'006);
  CHECK((*parse_bandwidth("unlimited")).bytes_per_second == 0);
  CHECK_FALSE(parse_bandwidth("0GB/s"));
  CHECK_FALSE(parse_bandwidth("6.5GB"));
  CHECK_FALSE(parse_bandwidth("6.5Gb/s"));
}

TEST_CASE("a rate is in operations per second") {
  CHECK(*parse_iops("21.5 KIOPS") == 21'500);
  CHECK(*parse_iops("1000k IOPS") == 1'000'000);
  CHECK(*parse_iops("900 IOPS") == 900);
  CHECK(*parse_iops("1.2MIOPS") == 1'200'000);
  CHECK(*parse_iops("unlimited") == 0);
  CHECK_FALSE(parse_iops("21.5K"));
  CHECK_FALSE(parse_iops("0 IOPS"));
}

TEST_CASE("a published throughput knows whether it is bytes or operations") {
  CHECK(*parse_throughput("1146 MB/s") == Throughput{1146e6, true});
  CHECK(*parse_throughput("21.5 KIOPS") == Throughput{21500, false});
  CHECK(*parse_throughput("195 MiB/s") == Throughput{195.0 * 1048576, true});
  CHECK_FALSE(parse_throughput("unlimited"));
  CHECK_FALSE(parse_throughput("1146"));
}

TEST_CASE("fio's size suffixes are powers of 1024") {
  CHECK((*parse_fio_size("4k")).value == 4'096);
  CHECK((*parse_fio_size("512K")).value == 524'288);
  CHECK((*parse_fio_size("1m")).value == 1'048'576);
  CHECK((*parse_fio_size("1MiB")).value == 1'048'576);
  CHECK((*parse_fio_size("1mb")).value == 1'048'576);
  CHECK((*parse_fio_size("4096")).value == 4'096);
  CHECK_FALSE(parse_fio_size("4.5k"));
  CHECK_FALSE(parse_fio_size("4x"));
  CHECK_FALSE(parse_fio_size("k"));
  CHECK_FALSE(parse_fio_size("9999999999999t"));
}

TEST_CASE("the canonical text of a quantity is what a person would write") {
  CHECK(to_text(microseconds(85)) == "85us");
  CHECK(to_text(microseconds(1500)) == "1.5ms");
  CHECK(to_text(picoseconds(15'400)) == "15.4ns");
  CHECK(to_text(seconds(10)) == "10s");
  CHECK(to_text(Duration{}) == "0s");
  CHECK(to_text(Bytes{524'288}) == "512KiB");
  CHECK(to_text(Bytes{1'000'000}) == "1MB");
  CHECK(to_text(Bytes{1'500}) == "1500B");
  CHECK(to_text(Bytes{}) == "0B");
  CHECK(to_text(Bandwidth{6'500'000'000}) == "6.5GB/s");
  CHECK(to_text(Bandwidth{}) == "unlimited");
  CHECK(iops_to_text(21'500) == "21.5 KIOPS");
  CHECK(iops_to_text(0) == "unlimited");
}

TEST_CASE("the canonical text of any quantity is read back as the same value") {
  std::mt19937_64 generator(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t value = (generator() >> 1) >> (generator() % 63);
    const Duration time{static_cast<std::int64_t>(value)};
    REQUIRE(*parse_duration(to_text(time)) == time);
    REQUIRE(*parse_bytes(to_text(Bytes{value})) == Bytes{value});
    REQUIRE(*parse_bandwidth(to_text(Bandwidth{value})) == Bandwidth{value});
    REQUIRE(*parse_iops(iops_to_text(value)) == value);
  }
}

TEST_CASE("reports show four digits at most, as fio does") {
  CHECK(format_iops(21'500) == "21.5k IOPS");
  CHECK(format_iops(134'000) == "134k IOPS");
  CHECK(format_iops(852) == "852 IOPS");
  CHECK(format_iops(92'149.6) == "92.1k IOPS");
  CHECK(format_iops(1.5) == "1.50 IOPS");
  CHECK(format_iops(9'999.7) == "10.0k IOPS");
  CHECK(format_bandwidth(1146e6) == "1146 MB/s");
  CHECK(format_bandwidth(1146.4e6) == "1146 MB/s");
  CHECK(format_bandwidth(12.34e9) == "12.3 GB/s");
  CHECK(format_count(0) == "0");
  CHECK(format_duration(nanoseconds(85'340)) == "85.3 us");
  CHECK(format_duration(microseconds(1'024)) == "1.02 ms");
  CHECK(format_duration(seconds(10)) == "10.0 s");
  CHECK(format_microseconds(0.29) == "290 ns");
}
