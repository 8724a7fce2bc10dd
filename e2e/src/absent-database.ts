import { descendantsOf } from './program.ts'
import type { ServerGroup } from './server-group.ts'

/** Holds every process of the database, also that which takes connections; the function returned lets them go on. */
export async function holdDatabase({ databasePid }: Pick<ServerGroup, 'databasePid'>) {
  const pid = databasePid()
  const held = [pid, ...(await descendantsOf(pid))]
  for (const one of held) signal(one, 'SIGSTOP')
  return async () => {
    for (const one of held) signal(one, 'SIGCONT')
  }
}

/** Sends a signal to a process of the database; those of connections that ended meanwhile are gone. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT') {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
