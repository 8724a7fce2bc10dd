import { isOwnOrigin } from '@longreach/kit/own-origin'
import { createAddressReader } from '@longreach/kit/address-of'
import { networkOf } from '@longreach/kit/network-of'
import { refuseUpgrade, takeUpgrades } from '@longreach/kit/upgrades'
import type { FastifyInstance } from 'fastify'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { platformContract } from '../contract.ts'
import { admit, badToken, type Held, isRefusal, type Origin } from './live-admission.ts'
import { createLiveCount } from './live-count.ts'
import type { LiveClient } from './live-hub.ts'
import { ClientMessage, closeCode, liveLimits } from './live-messages.ts'
import { createOutbox, type Outbox } from './live-outbox.ts'
import { createLiveSubscriptions } from './live-subscriptions.ts'
import type { PlatformDeps } from '../deps.ts'
import type { LiveStates } from './live-states.ts'

const livePath = `${platformContract.base}/live`

/** Add the live socket to the server: values, states and console frames as they come. */
export function mountLive(app: FastifyInstance, deps: PlatformDeps, states: LiveStates) {
  const server = new WebSocketServer({ noServer: true, maxPayload: liveLimits.messageBytes })
  const count = createLiveCount(liveLimits)
  const addressOf = createAddressReader(deps.site.trustedProxies ?? [])
  takeUpgrades(app.server, livePath, (request, socket, head) => {
    const { origin } = request.headers
    // Browsers always say where a page is from; other programs have no foreign pages in them.
    if (origin !== undefined && !isOwnOrigin(origin, deps.site.origin))
      return refuseUpgrade(socket, 403)
    if (states.hub.size >= liveLimits.sockets) return refuseUpgrade(socket, 503)
    const ip = addressOf(request)
    const counted = count.open(networkOf(ip))
    if (!counted) return refuseUpgrade(socket, 429)
    socket.once('close', counted.close)
    server.handleUpgrade(request, socket, head, (ws) => {
      serveSocket(ws, { ip, greet: counted.greet }, deps, states)
    })
  })
  app.addHook('preClose', () => {
    for (const ws of server.clients) ws.terminate()
    server.close()
  })
}

function serveSocket(ws: WebSocket, origin: Origin, deps: PlatformDeps, states: LiveStates) {
  const outbox = createOutbox(ws, liveLimits)
  const subscriptions = createLiveSubscriptions({ deps, states, outbox, limits: liveLimits })
  let held: Held | undefined
  let expiry: NodeJS.Timeout | undefined

  const close = closing(ws, outbox)
  const wrong = (why: string) => close(closeCode.badMessage, 'request.invalid', why)
  const notSignedIn = () => close(...badToken)
  const late = setTimeout(notSignedIn, liveLimits.helloMs)

  /** `isOver`: another token has come meanwhile, and what is found out of this one no longer matters. */
  const signIn = async (token: string, organization: string, isOver = () => false) => {
    const verdict = await admit(deps, { token, organization, before: held }, origin)
    if (isOver()) return held
    if (isRefusal(verdict)) return void close(...verdict)
    held = verdict
    clearTimeout(expiry)
    expiry = expiryTimer(token, deps.now().getTime(), notSignedIn)
    return held
  }

  const client: LiveClient = {
    async recheck() {
      const asked = held
      const isOver = () => held?.token !== asked?.token
      const now = asked && (await signIn(asked.token, asked.organization, isOver))
      if (now) subscriptions.recheck(now.admission)
      else subscriptions.end()
    },
    async checkSession(ended) {
      // API keys have no session; they are checked by `recheck`.
      const { session } = held?.caller ?? {}
      if (!held || session === undefined || (ended !== undefined && ended !== session)) return
      const { token } = held
      const over = ended === session || !(await deps.authenticate(token, origin.ip))
      if (over && held.token === token) notSignedIn()
    },
    recheckDevice: async (deviceId) => held && subscriptions.recheck(held.admission, deviceId),
    status: (deviceId, change) => held && subscriptions.status(held.admission, deviceId, change),
    hearsAlarms: () => held !== undefined && subscriptions.hearsAlarms(),
    alarm: (device, change) => held && subscriptions.alarm(held.admission, device, change),
    inbox: ({ sub, ...change }) => held?.caller.sub === sub && subscriptions.inbox(change),
    delay: (isDelayed) => held && outbox.send({ op: 'delay', delayed: isDelayed }),
    end: () => ws.close(1001),
  }

  const handle = async (message: ClientMessage) => {
    if (message.op === 'ping') return outbox.send({ op: 'pong' })
    if (message.op === 'hello') {
      if (held) return wrong('hello comes once')
      clearTimeout(late)
      if (await signIn(message.token, message.organization)) outbox.send({ op: 'ready' })
      return states.hub.isDelayed && client.delay(true)
    }
    if (!held) return notSignedIn()
    if (message.op === 'token') return void (await signIn(message.token, held.organization))
    if (message.op === 'sub') return subscriptions.add(message, held.admission)
    if (message.op === 'more') return subscriptions.change(message)
    return subscriptions.remove(message.id)
  }

  readMessages(ws, {
    handle,
    wrong,
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
    states.hub.remove(client)
  })
  states.hub.add(client)
}

/** Function that says why a socket is closed, and closes it. */
const closing =
  (ws: WebSocket, outbox: Outbox) => (code: number, name: string, message: string) => {
    outbox.send({ op: 'error', code: name, message })
    ws.close(code, name)
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

/** Timer for the `exp` of a JWT; other tokens are checked every minute. */
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
