import { readFileSync } from 'node:fs'

/** Clock ticks a second, as Linux has them on every machine that this runs on. */
const ticksPerS = 100

/** Fields of a file in /proc that follow the name of the process, which may contain spaces. */
function fieldsOf(pid: number) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** Milliseconds of processor time that processes have taken. */
export const takenMs = (pids: readonly number[]) =>
  pids
    .map((pid) => fieldsOf(pid))
    .map((fields) => ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerS)
    .reduce((sum, one) => sum + one, 0)

/** Milliseconds for which the cores of this machine had nothing to do. */
export function idleMs() {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  return (Number(line.split(/\s+/)[4]) * 1_000) / ticksPerS
}
