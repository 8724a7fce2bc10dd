import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Clock ticks a second, as Linux has them on every machine that this runs on. */
const ticksPerS = 100

/** Milliseconds of CPU that this process and PostgreSQL have taken until now. */
export function spentMs(dataDir: string) {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 + (postgresTicks(dataDir) * 1000) / ticksPerS
}

function postgresTicks(dataDir: string) {
  const [first = ''] = readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n')
  const own = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return own.flatMap((pid) => ticksOf(pid, Number(first))).reduce((sum, one) => sum + one, 0)
}

function ticksOf(pid: string, server: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const taken = (from: number) => Number(fields[from]) + Number(fields[from + 1])
    // Of connections that were closed the server itself knows.
    if (Number(pid) === server) return [taken(11) + taken(13)]
    return Number(fields[1]) === server ? [taken(11)] : []
  } catch {
    return [] // ended while it was looked at
  }
}
