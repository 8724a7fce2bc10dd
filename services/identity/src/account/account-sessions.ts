import { failure } from '@longreach/kit/errors'
import { recordChange } from '@longreach/kit/audit-trail'
import { refuseImpersonator, type Own } from './account-call.ts'
import { identityContract } from '../contract.ts'
import { endSessionOf, type ListedSession, sessionsOf } from '../sessions/session-list.ts'
import { endOtherSessions, endSession } from '../sessions/session-store.ts'
import { actingIn } from '../sign-in/sign-in-trail.ts'
import { describeAgent } from './user-agent.ts'

const seconds = (at: Date) => Math.floor(at.getTime() / 1000)

/** Session in the shape of Keycloak’s account API; times are in seconds since 1970. */
const toSessionView = ({ userAgent, clients, ...session }: ListedSession, current: string) => ({
  id: session.id,
  ipAddress: session.ipAddress,
  started: seconds(session.started),
  lastAccess: seconds(session.lastAccess),
  expires: seconds(session.expires),
  current: session.id === current,
  browser: describeAgent(userAgent).browser,
  clients: clients.map((clientId) => ({ clientId, clientName: clientId, inUse: true })),
})

/** GET account/sessions: sessions of the person. */
export const showSessions = async ({ call, account, sid }: Own) =>
  (await sessionsOf(call.deps.db, account.sub)).map((session) => toSessionView(session, sid))

/** GET account/sessions/devices: sessions by operating system and kind of device. */
export async function showDevices({ call, account, sid }: Own) {
  const sessions = await sessionsOf(call.deps.db, account.sub)
  const groups = Map.groupBy(sessions, ({ userAgent }) => {
    const { os, mobile } = describeAgent(userAgent)
    return `${os}/${mobile}`
  })
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { os, mobile } = describeAgent(first.userAgent)
    const own = group.map((session) => toSessionView(session, sid))
    const current = own.some((session) => session.current)
    return { os, mobile, current, lastAccess: seconds(first.lastAccess), sessions: own }
  })
}

/** DELETE account/sessions/{id}: end one session of the person. */
export async function endOneSession(own: Own) {
  const { call, account } = own
  refuseImpersonator(own)
  const { id } = call.request.params as { id: string }
  const { db } = call.deps
  const ended = await endSessionOf(db, { realm: call.realm.name, sub: account.sub, id })
  if (!ended)
    throw failure(identityContract, 'no_such_session', {
      message: 'Not found. The session may have ended.',
    })
  await recordSessionEnd(own, 'end')
}

/** DELETE account/sessions: end all other sessions, with `current=true` also this one. */
export async function endSessions(own: Own) {
  const { call, account, sid } = own
  refuseImpersonator(own)
  const { db } = call.deps
  await db.transaction().execute((tx) => endOtherSessions(tx, account.sub, sid))
  if (call.query['current'] === 'true') await endSession(db, call.realm.name, sid)
  await recordSessionEnd(own, 'endAll')
}

const recordSessionEnd = ({ call, account }: Own, action: string) =>
  recordChange(call.deps.db, actingIn(call, account), {
    resource: 'session',
    action,
    id: account.sub,
    label: account.username,
  })
