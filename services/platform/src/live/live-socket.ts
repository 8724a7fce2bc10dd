import { isOwnOrigin } from '@longreach/kit/own-origin'
import type { Admission, Caller } from '@longreach/kit/service'
import { can } from '@longreach/authorization/can'
import { addressOf } from '@longreach/kit/address-of'
import { AppError } from '@longreach/kit/errors'
import { mustBeLetIn } from '@longreach/kit/letting-in'
import { refuseUpgrade, takeUpgrades } from '@longreach/kit/upgrades'
import type { FastifyInstance } from 'fastify'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { platformContract } from '../contract.ts'
import type { LiveClient } from './live-hub.ts'
import { ClientMessage, closeCode, liveLimits } from './live-messages.ts'
import { createOutbox } from './live-outbox.ts'
import { createSubscriptions } from './live-subscriptions.ts'
import type { PlatformDeps, Runtime } from '../runtime.ts'

const livePath = `${platformContract.base}/live`

const badToken = ['auth.not_signed_in', 'the token is not good'] as const
const noRight = ['auth.missing_permission', 'no right to see devices of this organization'] as const

/** Add the live socket to the server: values, states and console frames as they come. */
export function mountLive(app: FastifyInstance, deps: PlatformDeps, runtime: Runtime) {
  const server = new WebSocketServer({ noServer: true, maxPayload: liveLimits.messageBytes })
  takeUpgrades(app.server, livePath, (request, socket, head) => {
    const { origin } = request.headers
    // Browsers always say where a page is from; other programs have no foreign pages in them.
    if (origin !== undefined && !isOwnOrigin(origin, deps.site.origin))
      return refuseUpgrade(socket, 403)
    if (runtime.hub.size >= liveLimits.sockets) return refuseUpgrade(socket, 503)
    server.handleUpgrade(request, socket, head, (ws) => {
      const ip = addressOf(request, deps.site.trustedProxies ?? [])
      serveSocket(ws, ip, deps, runtime)
    })
  })
  app.addHook('preClose', () => {
    for (const ws of server.clients) ws.terminate()
    server.close()
  })
}

/** Who has signed in at a socket, and what they may do. */
type Held = { token: string; caller: Caller; admission: Admission; organization: string }

function serveSocket(ws: WebSocket, ip: string, deps: PlatformDeps, runtime: Runtime) {
  const outbox = createOutbox(ws, liveLimits)
  const subscriptions = createSubscriptions({ deps, runtime, outbox, limits: liveLimits })
  let held: Held | undefined
  let expiry: NodeJS.Timeout | undefined

  const close = (code: number, name: string, message: string) => {
    outbox.send({ op: 'error', code: name, message })
    ws.close(code, name)
  }
  const notSignedIn = () => close(closeCode.notSignedIn, ...badToken)
  const late = setTimeout(notSignedIn, liveLimits.helloMs)

  /** `isOver`: another token has come meanwhile, and what is found out of this one no longer matters. */
  const admit = async (token: string, organization: string, isOver = () => false) => {
    const caller = await deps.authenticate(token, ip)
    if (isOver()) return held
    if (!caller || caller.kind === 'nobody') return void notSignedIn()
    if (held && caller.sub !== held.caller.sub) return void notSignedIn()
    const admission = await deps.admit(caller, organization === '' ? caller.org : organization)
    if (isOver()) return held
    if (!admission || !can(admission.capability, 'devices', 'read'))
      return void close(closeCode.notAllowed, ...noRight)
    const kept = notLetIn(caller, ip, admission)
    if (kept) return void close(closeCode.notAllowed, kept.code, String(kept.details['message']))
    held = { token, caller, admission, organization }
    clearTimeout(expiry)
    expiry = expiryTimer(token, deps.now().getTime(), notSignedIn)
    return held
  }

  const client: LiveClient = {
    async recheck() {
      const asked = held
      const isOver = () => held?.token !== asked?.token
      const now = asked && (await admit(asked.token, asked.organization, isOver))
      if (now) subscriptions.recheck(now.admission)
      else subscriptions.end()
    },
    async recheckDevice(deviceId) {
      if (held) subscriptions.recheck(held.admission, deviceId)
    },
    status(deviceId, change) {
      if (held) subscriptions.status(held.admission, deviceId, change)
    },
    end: () => ws.close(1001),
  }

  const handle = async (message: ClientMessage) => {
    if (message.op === 'ping') return outbox.send({ op: 'pong' })
    if (message.op === 'hello') {
      if (held) return close(closeCode.badMessage, 'request.invalid', 'hello comes once')
      clearTimeout(late)
      if (await admit(message.token, message.organization)) outbox.send({ op: 'ready' })
      return undefined
    }
    if (!held) return notSignedIn()
    if (message.op === 'token') return void (await admit(message.token, held.organization))
    if (message.op === 'sub') return subscriptions.add(message, held.admission)
    return subscriptions.remove(message.id)
  }

  readMessages(ws, {
    handle,
    wrong: (why) => close(closeCode.badMessage, 'request.invalid', why),
    failed: (error) => {
      deps.log.error(error, 'a live message could not be handled')
      ws.close(1011)
    },
  })
  ws.on('error', () => ws.terminate()) // a frame too large or broken; `close` follows
  ws.on('close', () => {
    clearTimeout(late)
    clearTimeout(expiry)
    subscriptions.end()
    outbox.end()
    runtime.hub.remove(client)
  })
  runtime.hub.add(client)
}

type Reader = {
  handle: (message: ClientMessage) => Promise<unknown>
  wrong: (why: string) => void
  failed: (error: unknown) => void
}

/** One message at a time, in order: a subscription is in place before its end is read. */
function readMessages(ws: WebSocket, { handle, wrong, failed }: Reader) {
  let line: Promise<unknown> = Promise.resolve()
  let waiting = 0
  ws.on('message', (data: RawData) => {
    const message = ClientMessage.safeParse(jsonOf(data))
    if (message.error) return wrong(message.error.issues[0]?.message ?? '')
    waiting += 1
    if (waiting > liveLimits.waiting) return wrong('too many messages at once')
    line = line
      .then(() => handle(message.data))
      .catch(failed)
      .finally(() => (waiting -= 1))
    return undefined
  })
}

/** At the `exp` of a JWT; other tokens are asked about every minute. */
function expiryTimer(token: string, now: number, expired: () => void) {
  const exp = (
    jsonOf(Buffer.from(token.split('.')[1] ?? '', 'base64url')) as { exp?: unknown } | undefined
  )?.exp
  if (typeof exp !== 'number') return undefined
  // Longer timers overflow; by then the regular look has been there.
  return setTimeout(expired, Math.min(Math.max(0, exp * 1_000 - now), 2 ** 31 - 1)).unref()
}

function jsonOf(data: RawData): unknown {
  try {
    return JSON.parse(String(data))
  } catch {
    return undefined // no JSON: refused by the schema
  }
}

/** Why the organization does not let this caller in from there; undefined when it does. */
function notLetIn(caller: Caller, ip: string, { organization }: Admission) {
  try {
    mustBeLetIn(caller, ip, organization)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
