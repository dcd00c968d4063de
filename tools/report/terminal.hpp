#pragma once
// The report that `spillway run` prints: where the numbers come from, the throughput of every case, what happened
// inside, and apart from that the published figures. Text of at most 120 columns (a longer name may exceed it), UTF-8,
// no colours.

#include <cstddef>
#include <string>

#include "tools/report/published.hpp"
#include "tools/report/summary.hpp"

namespace spillway::report {

/// More policies than this are shown in rows, not in columns.
inline constexpr std::size_t kPoliciesAcross = 6;

std::string terminal_report(const StudyRuns& study, const StudySummary& summary, const PublishedComparison& published);

// Its sections; each is "" where there is nothing to say.
std::string provenance_section(const StudyRuns& study);
/// Runs that stalled or were stopped by a fault, and what an interrupt left out.
std::string outcome_section(const StudyRuns& study, const StudySummary& summary);
std::string throughput_section(const StudyRuns& study, const StudySummary& summary);
std::string case_section(const CaseRuns& of_case, const CaseSummary& summary);
std::string published_section(const StudyRuns& study, const PublishedComparison& published);

}  // namespace spillway::report
