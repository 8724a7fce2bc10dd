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
  /** What the library would print on the console. */
  tell: (message: string) => void
  onLost?: (reason: Error) => void
}

/** SHA-256 of a certificate in DER form, as hex: how people compare certificates. */
export const fingerprint = (der: Uint8Array) => createHash('sha256').update(der).digest('hex')

/** A client for this source that is not connected yet. */
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
    // Who uses it makes a new session after every loss.
    connectionStrategy: { maxRetry: 0, initialDelay: 100, maxDelay: 200 },
    keepSessionAlive: true,
  })
  await client.createDefaultCertificate()
  return { library, client }
}

/** The agent's own certificate, to compare and to hand to a server's administrator. */
export function ownCertificate(client: OPCUAClient) {
  const der = firstOf(client.getCertificate())
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  const pem = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { fingerprint: fingerprint(der), pem }
}

/** A session with the server, as the settings say: encrypted, logged in. Throws with the way out. */
export async function openOpcua(settings: Connection, options: Options): Promise<OpcuaSession> {
  const { library, client } = await opcuaClientFor(settings, options)
  const close = async () => {
    try {
      await client.disconnect()
    } catch {
      // The server is gone already; there is nobody to say goodbye to.
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
    // Before the password goes to it.
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
 * The library talks securely with servers in its own store of certificates only. The one that the
 * server shows goes there: the settings' fingerprint, where there is one, says whether it is the right one.
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

/** A chain of certificates comes as one piece of DER or as a list. */
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
/** Some servers say nothing: they end the line while the secure channel is opened. */
const closedLine = /disconnected by third party|may have been rejected by server|ECONNRESET/i

/** What a person can do about the usual refusals; `opening` while the secure channel was being opened. */
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
