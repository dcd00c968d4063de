#!/usr/bin/env bash
# usage: tests/sweep/slurm.sh SPILLWAY
#
# Starts munged, slurmctld and slurmd for this host alone, in a scratch folder, runs the study as an array, kills and
# requeues one task, combines the shards, and compares the bytes with those of a local run. Exits with 77 and says why
# where no Slurm can be started.

set -euo pipefail

skipped=77
here=$(dirname "$(readlink -f "$0")")
root=$(cd "$here/../.." && pwd -P)
spillway=$(readlink -f "$1")
shards=8
runtime=run.runtime=4s  # of a point: a task is under way for seconds, so that it can be killed on a fast host too
PATH=$PATH:/usr/sbin:/sbin

skip() { echo "skipped: $*"; exit "$skipped"; }

for program in munged slurmctld slurmd sbatch; do
  command -v "$program" >/dev/null || skip "there is no $program"
done
((EUID == 0)) || skip "slurmd has to be started by root"

scratch=$(mktemp -d)
chmod 755 "$scratch"
pids=()
finish() {
  local pid
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
  rm -rf "$scratch"
}
trap finish EXIT

# The end of a log, for whoever has to find out why.
tail_of() { sed 's/^/  /' <(tail -n 5 "$scratch/$1" 2>/dev/null) || true; }

# until_true SECONDS COMMAND...
until_true() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS < deadline)) || return 1
    sleep 0.05
  done
}

host=$(hostname -s)
mkdir -p "$scratch"/{munge,state,spool,out}
head -c 1024 /dev/urandom >"$scratch/munge/key"
chmod 600 "$scratch/munge/key"
chmod 711 "$scratch/munge"
munged --foreground --force --key-file="$scratch/munge/key" --socket="$scratch/munge/socket" \
  --pid-file="$scratch/munge/pid" --log-file="$scratch/munge/log" --seed-file="$scratch/munge/seed" \
  >"$scratch/munged.log" 2>&1 &
pids+=($!)
until_true 10 test -S "$scratch/munge/socket" || { tail_of munged.log; skip "munged does not start"; }

port=$((20000 + RANDOM % 20000))
cat >"$scratch/slurm.conf" <<END
ClusterName=loopback
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$scratch/munge/socket
CryptoType=crypto/munge
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/slurmctld.pid
SlurmdPidFile=$scratch/slurmd.pid
SlurmctldLogFile=$scratch/slurmctld.log
SlurmdLogFile=$scratch/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1
JobRequeue=1
ReturnToService=2
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
export SLURM_CONF=$scratch/slurm.conf

slurmctld -D -i -f "$SLURM_CONF" >"$scratch/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" >"$scratch/slurmd.out" 2>&1 &
pids+=($!)
is_idle() { sinfo -h -o %T | grep -q idle; }
until_true 60 is_idle || { tail_of slurmctld.log; tail_of slurmd.log; skip "slurmctld and slurmd do not come up"; }
echo "Slurm $(slurmd -V | cut -d ' ' -f 2), a node of $(nproc) CPUs"

export SPILLWAY=$spillway
job=$(sbatch --parsable --array=1-$shards --chdir="$scratch" --output="$scratch/out/%a.log" \
  "$root/tools/slurm-array" "$here/study.toml" "$scratch/out" --set "$runtime")
task=${job}_1
has_lines() { (($(wc -l <"$scratch/out/1.jsonl") > 3)); }
until_true 60 has_lines || { cat "$scratch"/out/*.log; echo "the first task records nothing"; exit 1; }
scancel --signal=KILL --full "$task"
before=$(wc -l <"$scratch/out/1.jsonl")
gone() { ! squeue -h -j "$task" -t running | grep -q .; }
until_true 60 gone || { echo "the task survives SIGKILL"; exit 1; }
echo "task 1 was killed with $((before - 1)) points recorded"
scontrol requeue "$task" || { squeue; echo "the task cannot be requeued"; exit 1; }

done_all() { ! squeue -h -j "$job" | grep -q .; }
until_true 300 done_all || { squeue; cat "$scratch"/out/*.log; echo "the array does not end"; exit 1; }
grep -q "of them from before" "$scratch/out/1.log" || { cat "$scratch/out/1.log"; echo "task 1 did not go on"; exit 1; }
"$spillway" combine "$scratch"/out/*.jsonl --out "$scratch/combined.jsonl"
"$spillway" sweep "$here/study.toml" --set "$runtime" --out "$scratch/local.jsonl"
cmp "$scratch/combined.jsonl" "$scratch/local.jsonl"
echo "the same bytes as a local run"
