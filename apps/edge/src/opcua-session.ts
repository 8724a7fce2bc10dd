import { createHash } from 'node:crypto'
import type { ClientSession, OPCUAClient, UserIdentityInfo } from 'node-opcua-client'
import { certificateStore, opcuaClient, type OpcuaClientLibrary } from './opcua-library.ts'
import { messageOf } from './retry.ts'
import type { OpcuaSettings } from './source-settings.ts'
import { StepFault, type Told } from './test-steps.ts'

export type OpcuaSession = {
  library: OpcuaClientLibrary
  client: OPCUAClient
  session: ClientSession
  close: () => Promise<void>
}
type Connection = Omit<OpcuaSettings, 'tags'>
type Options = {
  dataDir: string
  /** Called with the lines that the library would print. */
  tell: (message: string) => void
  onLost?: (reason: Error) => void
}

/** SHA-256 of a DER certificate in hex, which people compare. */
export const fingerprint = (der: Uint8Array) => createHash('sha256').update(der).digest('hex')

/** Client for this source, not connected yet. */
export async function opcuaClientFor(settings: Connection, { dataDir, tell }: Options) {
  const library = await opcuaClient(tell)
  const { MessageSecurityMode, OPCUAClient, SecurityPolicy } = library
  const client = OPCUAClient.create({
    applicationName: 'Longreach edge',
    clientName: settings.name,
    clientCertificateManager: await certificateStore(dataDir),
    endpointMustExist: false,
    securityMode: MessageSecurityMode[settings.security],
    securityPolicy:
      settings.security === 'None' ? SecurityPolicy.None : SecurityPolicy[settings.policy],
    // The caller makes a new session after every loss.
    connectionStrategy: { maxRetry: 0, initialDelay: 100, maxDelay: 200 },
    keepSessionAlive: true,
  })
  await client.createDefaultCertificate()
  return { library, client }
}

/** Agent's own certificate, to compare or to give to a server's administrator. */
export function ownCertificate(client: OPCUAClient) {
  const der = firstOf(client.getCertificate())
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { fingerprint: fingerprint(der), pem }
}

/** Opens a session according to the settings, encrypted and signed in. Throws with advice. */
export async function openOpcua(settings: Connection, options: Options): Promise<OpcuaSession> {
  const { library, client } = await opcuaClientFor(settings, options)
  const close = async () => {
    try {
      await client.disconnect()
    } catch {
      // The server has ended the connection, so no session can be closed.
    }
  }
  const lost = options.onLost
  if (lost) {
    client.on('connection_lost', () => lost(new Error('the connection was lost')))
    client.on('close', () => lost(new Error('the connection was closed')))
  }
  let opening = false
  try {
    if (settings.security !== 'None') await trustServer(client, settings, options)
    opening = settings.security !== 'None'
    await client.connect(settings.url)
    opening = false
    // Checked before the password is sent.
    mustBeKnown(client, settings)
    return {
      library,
      client,
      session: await client.createSession(userOf(settings, library)),
      close,
    }
  } catch (error) {
    await close()
    if (error instanceof StepFault) throw error
    throw new StepFault(wayOut(messageOf(error), client, opening), { cause: error })
  }
}

/**
 * Trusts the server's certificate in the library's store, which is the only place that it looks at.
 * If the settings have a fingerprint, the certificate must match it.
 */
async function trustServer(client: OPCUAClient, settings: Connection, options: Options) {
  const plain = await opcuaClientFor({ ...settings, security: 'None' }, options)
  try {
    await plain.client.connect(settings.url)
    const endpoints = await plain.client.getEndpoints()
    const mode = plain.library.MessageSecurityMode[settings.security]
    const policy = plain.library.SecurityPolicy[settings.policy]
    const wanted = endpoints.find(
      ({ securityMode, securityPolicyUri }) =>
        securityMode === mode && securityPolicyUri === policy,
    )
    if (!wanted) throw new Error('the server has no endpoint with this security')
    mustBeKnown({ serverCertificate: wanted.serverCertificate }, settings)
    await client.clientCertificateManager.trustCertificate(wanted.serverCertificate)
  } finally {
    await plain.client.disconnect()
  }
}

function mustBeKnown(
  { serverCertificate }: { serverCertificate?: Uint8Array | Uint8Array[] },
  { security, serverCertificate: known }: Connection,
) {
  if (security === 'None' || known === undefined) return
  const found = serverCertificate ? fingerprint(firstOf(serverCertificate)) : 'none'
  if (found === known) return
  const detail = `the server has the certificate ${found}, and not the trusted ${known}; if it was exchanged on purpose, choose the endpoint again`
  throw new StepFault({ code: 'login.otherCertificate', values: { found, known }, detail })
}

/** First certificate of a chain, which is one DER block or a list. */
const firstOf = (certificate: Uint8Array | Uint8Array[]) =>
  Array.isArray(certificate) ? (certificate[0] ?? new Uint8Array()) : certificate

const userOf = (
  { username, password }: Connection,
  { UserTokenType }: OpcuaClientLibrary,
): UserIdentityInfo =>
  username === undefined
    ? { type: UserTokenType.Anonymous }
    : { type: UserTokenType.UserName, userName: username, password: password ?? '' }

const untrusted = /BadSecurityChecksFailed|BadCertificateUntrusted|BadCertificate/i
/** Some servers close the connection without an answer while the secure channel is opened. */
const closedLine = /disconnected by third party|may have been rejected by server|ECONNRESET/i

/** Advice for the usual refusals; `opening` is true while the secure channel was being opened. */
function wayOut(message: string, client: OPCUAClient, opening: boolean): Told {
  if (untrusted.test(message) || (opening && closedLine.test(message))) {
    const own = ownCertificate(client).fingerprint
    const detail = `the server does not trust the agent's certificate; move ${own} to its trusted ones (${message})`
    return { code: 'login.untrusted', values: { own, message }, detail }
  }
  if (/BadUserAccessDenied|BadIdentityToken/i.test(message)) {
    const detail = `the server does not accept this user and password (${message})`
    return { code: 'login.refused', values: { message }, detail }
  }
  if (/BadSecurityPolicyRejected|BadSecurityModeRejected|no endpoint/i.test(message)) {
    const detail = `the server does not offer this security; look at its endpoints (${message})`
    return { code: 'login.noSecurity', values: { message }, detail }
  }
  return { detail: message }
}
