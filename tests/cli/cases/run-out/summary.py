"""Prints a few numbers of a results document."""
import json
import sys

document = json.load(open(sys.argv[1]))
print("schema", document["schema_version"], "seed", document["seed"])
for case in document["cases"]:
    for policy in case["policies"]:
        summary = policy["summary"]
        print(f'{case["name"]}, {policy["policy"]}: {summary["iops"]["mean"]:.1f} iops, '
              f'{summary["completed_replications"]} of {len(policy["replications"])} replications, '
              f'{len(policy["queues"])} queues, limited by {policy["bottleneck"]["name"]}')
