import { createOutsideCaller } from '@longreach/kit/outside-call'
import type { Secrets } from '@longreach/kit/secrets'
import { type CallEnd, endOfCall } from '../channels/call-rules.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { WatcherRow } from './watcher-store.ts'

type Deps = Pick<NotificationsDeps, 'site' | 'secrets' | 'now'>

const watcherLabel = (org: string) => `notifications.watcher:${org}`

export const sealWatcher = (secrets: Secrets, org: string, url: string) =>
  secrets.seal(watcherLabel(org), url)

/** Caller of watchers. The settings of the installation are read at each call. */
export const watcherCaller = ({ site }: Pick<Deps, 'site'>) => createOutsideCaller(site.outside)

/** One call to a watcher; one that fails is not repeated, as the next beat follows in a minute. */
export async function callWatcher(
  deps: Deps,
  { org, method, sealed }: Pick<WatcherRow, 'org' | 'method' | 'sealed'>,
): Promise<CallEnd & { ms: number }> {
  const url = deps.secrets.open(watcherLabel(org), sealed).toString()
  const result = await watcherCaller(deps).call({ url, method })
  const end = endOfCall(result, deps.now())
  return { ...end, ...(end.kind === 'failed' && { isFinal: true }), ms: result.ms }
}
