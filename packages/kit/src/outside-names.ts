import { lookup, Resolver } from 'node:dns/promises'

export type Address = { address: string; family: number }

type Options = {
  /** DNS servers in place of those of the system. */
  servers?: readonly string[]
  timeoutMs?: number
  /** Look-up by the system, which also knows its hosts file and its search domains. */
  system?: (hostname: string) => Promise<Address[]>
}

/**
 * Look-up of all addresses of a name. DNS is asked without the threads of the process: in the system's own look-up,
 * four names whose servers are silent would hold up its files. The system is asked about names that DNS does not know.
 */
export function createNameLookup({ servers, timeoutMs = 2_000, system = bySystem }: Options = {}) {
  const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
  if (servers) resolver.setServers(servers)
  return async (hostname: string): Promise<Address[]> => {
    const answers = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ])
    const found = answers.flatMap((answer, at) =>
      answer.status === 'fulfilled' ? answer.value.map(addressOf(at === 0 ? 4 : 6)) : [],
    )
    if (found.length > 0) return found
    const silent = answers.find(
      (answer) => answer.status === 'rejected' && !isUnknown(answer.reason),
    )
    if (silent?.status === 'rejected') throw silent.reason
    return system(hostname)
  }
}

const addressOf = (family: number) => (address: string) => ({ address, family })

const bySystem = (hostname: string) => lookup(hostname, { all: true, order: 'verbatim' })

/** The name is not in DNS, or there is no DNS server. */
const isUnknown = (error: unknown) =>
  ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'].includes((error as NodeJS.ErrnoException).code ?? '')
