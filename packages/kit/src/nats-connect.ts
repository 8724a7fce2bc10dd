import { readFileSync } from 'node:fs'
import net from 'node:net'
import {
  type Authenticator,
  connect,
  credsAuthenticator,
  type NatsConnection,
  nkeyAuthenticator,
  type NodeConnectionOptions,
} from '@nats-io/transport-node'
import type { NatsServer, NatsSettings } from './nats-settings.ts'

const greetingMs = 2_000
const handshakeMs = 5_000

type Options = { settings: NatsSettings; instance: string; name: string; signal: AbortSignal }

/**
 * Connection to the first server that greets; those that refuse it are left out. Throws with the
 * reasons when none is left.
 */
export async function connectToAny({ settings, instance, name, signal }: Options) {
  const reasons: unknown[] = []
  for (let left = settings.servers; left.length > 0;) {
    const server = await firstToGreet(left, signal).catch((error: AggregateError) => {
      reasons.push(...(error.errors as unknown[]))
    })
    if (!server) break
    try {
      return await connectTo(server, settings, { instance, name })
    } catch (error) {
      reasons.push(new Error(`${addressText(server)}: ${errorText(error)}`))
      left = left.filter((one) => one !== server)
    }
  }
  throw new Error(reasons.map(errorText).join('; '))
}

const addressText = ({ host, port }: NatsServer) =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

const errorText = (error: unknown) => (error instanceof Error ? error.message : String(error))

/**
 * The client library leaves a socket open for each server that takes connections and says nothing, so
 * each server is asked for its greeting before.
 */
async function firstToGreet(servers: readonly NatsServer[], signal: AbortSignal) {
  const enough = new AbortController()
  const either = AbortSignal.any([signal, enough.signal])
  try {
    return await Promise.any(servers.map((server) => greeted(server, either)))
  } finally {
    enough.abort()
  }
}

function greeted(server: NatsServer, signal: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<NatsServer>()
  const fail = (reason: string) => reject(new Error(`${addressText(server)}: ${reason}`))
  const socket = net.connect({ ...server, signal })
  socket.setTimeout(greetingMs, () => fail('no greeting'))
  socket.once('error', (error) => fail(errorText(error)))
  socket.once('close', () => fail('closed without a greeting'))
  socket.once('data', (data) =>
    data.toString('latin1', 0, 5) === 'INFO ' ? resolve(server) : fail('no NATS server'),
  )
  return promise.finally(() => socket.destroy())
}

async function connectTo(
  server: NatsServer,
  { user, tls, credsFile }: NatsSettings,
  { instance, name }: Pick<Options, 'instance' | 'name'>,
): Promise<NatsConnection> {
  const options: NodeConnectionOptions = {
    servers: addressText(server),
    name: `longreach ${instance} ${name}`,
    // Replies too are below the installation's prefix, so that rights on `lr.<id>.>` suffice.
    inboxPrefix: `lr.${instance}.inbox`,
    timeout: handshakeMs,
    reconnect: false, // the link makes a new connection
    ignoreClusterUpdates: true,
    noEcho: true,
    noAsyncTraces: true,
    ...(tls && { tls }),
    ...(user && (user.password === undefined ? { token: user.name } : withPassword(user))),
    ...(credsFile !== undefined && { authenticator: authenticatorOf(credsFile) }),
  }
  return connect(options)
}

const withPassword = ({ name, password = '' }: { name: string; password?: string }) => ({
  user: name,
  pass: password,
})

function authenticatorOf(file: string): Authenticator {
  const read = readFileSync(file)
  return read.includes('BEGIN NATS')
    ? credsAuthenticator(read)
    : nkeyAuthenticator(Buffer.from(read.toString().trim()))
}
