import { reportProblem } from '../../parts/api/problems.ts'
import { identityLimitMs, inTime } from '../../parts/api/timeouts.ts'
import type { Identity } from './identity.ts'
import { type Ending, endingOf, latestEnd } from './session-end.ts'
import { endedInOtherTab } from './watch-session.ts'

const refreshEveryMs = 60_000
const refreshBelowS = 70
const pingEveryMs = 180_000
const pingPath = '/manage/commands/commands.access.client.ping'

type Timer = (run: () => void, everyMs: number) => unknown

/** Keep the session alive while the page is open; `ended` is called when it is over (T-15). */
export function keepSession(
  { keycloak, place }: Identity,
  ended: (ending: Ending) => void,
  every: Timer = setInterval,
) {
  let keptAt = Date.now()
  let end = latestEnd(keycloak.idTokenParsed, keycloak.tokenParsed)
  const over = () => {
    const inOtherTab = endedInOtherTab(keycloak)
    ended(endingOf({ keptAt, latestEnd: end, inOtherTab, now: Date.now() }))
  }
  keycloak.onAuthRefreshSuccess = () => {
    keptAt = Date.now()
    end = latestEnd(keycloak.idTokenParsed, keycloak.tokenParsed) ?? end
  }
  keycloak.onAuthLogout = over
  keycloak.onAuthRefreshError = () => {
    if (!keycloak.authenticated) over()
  }
  const quietly = (what: string, ask: () => Promise<unknown>) => () => {
    if (!keycloak.authenticated) return // the page waits for who signs in again
    void ask().catch((cause: unknown) => reportProblem(what, cause))
  }
  const refresh = () => inTime(keycloak.updateToken(refreshBelowS))
  const ping = async () => {
    await (place.external ? inTime(keycloak.loadUserInfo()) : signOfLife(keycloak.token))
    keptAt = Date.now()
  }
  every(quietly('Token refresh failed', refresh), refreshEveryMs)
  every(quietly('Keep-alive failed', ping), pingEveryMs)
}

/** Keeps alive the session of the token, and that of a form login in this browser. */
async function signOfLife(token: string | undefined) {
  const answer = await fetch(pingPath, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(identityLimitMs),
  })
  if (!answer.ok) throw new Error(`The session was not kept alive: ${answer.status}`)
}
