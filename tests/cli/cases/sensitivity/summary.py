"""What a sensitivity study says, without the numbers that every change of the model moves."""
import json
import sys

document = json.load(open(sys.argv[1]))
text = open(sys.argv[2]).read()
print(document["document"], "schema", document["schema_version"], "base", document["base_policy"])
for case in document["cases"]:
    for policy in case["policies"]:
        print(f'{case["name"]}, {policy["policy"]}: {"more" if policy["difference"]["mean"] > 0 else "less"}')
        factors = {factor["name"]: factor for factor in policy["factors"]}
        for name in ("device.read_latency", "handler", "lock_pair", "server.reply_batching", "job.affinity"):
            factor = factors[name]
            print(f'  {name} ({factor["kind"]}): {factor["in_force"]}, or',
                  ", ".join(level["value"] for level in factor["levels"]))
        influences = [factor["influence"] for factor in policy["factors"]]
        print("  ordered by influence:", influences == sorted(influences, reverse=True))
        print("  the table names every factor:", all(name in text for name in factors))
print("widest line:", "at most 120" if max(map(len, text.split("\n"))) <= 120 else "too wide")
