import { z } from 'zod'

const file = z.string().min(1).optional()

/**
 * Environment settings of the connection to NATS:
 *
 * - `NATS_URL`: the servers, `nats://user:password@a:4222,b:4222` or `tls://a,b,c`; the scheme and the
 *   user (or a token alone) of the first hold for all. `tls://` refuses a server without TLS.
 * - `NATS_CA_FILE`: certificates (PEM) that sign those of the servers, if they are none that Node trusts.
 * - `NATS_CERT_FILE`, `NATS_KEY_FILE`: the client certificate (PEM), where servers ask for one.
 * - `NATS_CREDS_FILE`: a `.creds` file, or a file with the seed of an nkey (`SU…`), in place of a user.
 *
 * All files are read again at each connection, so that renewed ones need no restart.
 */
export const NatsEnvironment = z.object({
  NATS_URL: z
    .string()
    .regex(
      /^(nats|tls):\/\/[^\s/?#,]+(,((nats|tls):\/\/)?[^\s/?#,]+)*\/?$/,
      'NATS_URL must be addresses with commas between, such as tls://a.example.org,b.example.org',
    )
    .optional(),
  NATS_CA_FILE: file,
  NATS_CERT_FILE: file,
  NATS_KEY_FILE: file,
  NATS_CREDS_FILE: file,
})

export type NatsServer = { host: string; port: number }

export type NatsSettings = {
  servers: NatsServer[]
  /** User and password; without a password the user is a token. */
  user?: { name: string; password?: string }
  /** Files of the TLS connection; absent when the servers decide whether there is one. */
  tls?: { caFile?: string; certFile?: string; keyFile?: string }
  credsFile?: string
}

/** Connection settings: undefined without any, complete, or what does not fit together. */
export function natsOf(
  env: z.output<typeof NatsEnvironment>,
): NatsSettings | { wrong: string } | undefined {
  const { NATS_URL, NATS_CREDS_FILE: credsFile } = env
  if (NATS_URL === undefined) return undefined
  const urls = urlsIn(NATS_URL)
  const [first] = urls
  if (!first) return { wrong: 'NATS_URL has an address that cannot be read' }
  const tls = tlsFilesOf(env)
  const user = userOf(first)
  const wrong = addressFault(urls, first) ?? pairFault(env, first)
  if (wrong !== undefined) return { wrong }
  return {
    servers: urls.map(serverOf),
    ...(user && { user }),
    ...(first.protocol === 'tls:' && { tls }),
    ...(credsFile !== undefined && { credsFile }),
  }
}

/** Difference between the addresses, which have one scheme and one user. */
function addressFault(urls: readonly URL[], first: URL) {
  if (urls.some(({ protocol }) => protocol !== first.protocol)) {
    return 'NATS_URL must have one scheme for all addresses, nats:// or tls://'
  }
  const isOther = ({ username, password }: URL) =>
    username !== '' && (username !== first.username || password !== first.password)
  if (urls.some(isOther)) {
    return 'NATS_URL must have one user for all addresses: name it at the first'
  }
}

/** Settings that do not go together. */
function pairFault(env: z.output<typeof NatsEnvironment>, first: URL) {
  if ((env.NATS_CERT_FILE === undefined) !== (env.NATS_KEY_FILE === undefined)) {
    return 'NATS_CERT_FILE and NATS_KEY_FILE go together: set both or neither'
  }
  if (first.protocol !== 'tls:' && Object.keys(tlsFilesOf(env)).length > 0) {
    return 'NATS_CA_FILE, NATS_CERT_FILE and NATS_KEY_FILE need tls:// in NATS_URL'
  }
  if (first.username !== '' && env.NATS_CREDS_FILE !== undefined) {
    return 'NATS_CREDS_FILE and a user in NATS_URL exclude each other: set one'
  }
}

/** Addresses of a list; none when one cannot be read. */
function urlsIn(text: string): URL[] {
  const scheme = text.slice(0, text.indexOf('://') + 3)
  const all = text
    .replace(/\/$/, '')
    .split(',')
    .map((one) => (one.includes('://') ? one : scheme + one))
  return all.every((one) => URL.canParse(one)) ? all.map((one) => new URL(one)) : []
}

const userOf = ({ username, password }: URL) =>
  username === ''
    ? undefined
    : {
        name: decodeURIComponent(username),
        ...(password !== '' && { password: decodeURIComponent(password) }),
      }

const serverOf = ({ hostname, port }: URL): NatsServer => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? 4222 : Number(port),
})

function tlsFilesOf({
  NATS_CA_FILE: caFile,
  NATS_CERT_FILE: certFile,
  NATS_KEY_FILE: keyFile,
}: z.output<typeof NatsEnvironment>) {
  return {
    ...(caFile !== undefined && { caFile }),
    ...(certFile !== undefined && { certFile }),
    ...(keyFile !== undefined && { keyFile }),
  }
}
