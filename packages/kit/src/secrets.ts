import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'

const algorithm = 'aes-256-gcm'

/**
 * Keys derived from the installation's master key. Each use has a label, so that no two share a
 * key.
 */
export type Secrets = {
  /** Encrypts for storage. The text can be opened only under the same label. */
  seal: (label: string, plain: string | Buffer) => Buffer
  open: (label: string, sealed: Buffer) => Buffer
  /** Key for one purpose, the same at every start. */
  derive: (label: string, bytes?: number) => Buffer
  /** Hash of a random token, for look-up without storing the token. */
  fingerprint: (label: string, token: string) => string
}

/** Functions over a 32-byte master key. */
export function createSecrets(master: Buffer): Secrets {
  if (master.length !== 32) throw new Error('The master key must have 32 bytes')
  const derive = (label: string, bytes = 32) =>
    Buffer.from(hkdfSync('sha256', master, 'longreach', label, bytes))
  return {
    derive,
    seal(label, plain) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv(algorithm, derive(`seal:${label}`), nonce)
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), text])
    },
    open(label, sealed) {
      const cipher = createDecipheriv(algorithm, derive(`seal:${label}`), sealed.subarray(0, 12))
      cipher.setAuthTag(sealed.subarray(12, 28))
      return Buffer.concat([cipher.update(sealed.subarray(28)), cipher.final()])
    },
    fingerprint: (label, token) =>
      createHmac('sha256', derive(`fingerprint:${label}`))
        .update(token)
        .digest('base64url'),
  }
}

/** Master key: the setting (64 hex digits), or a file in the data folder that is made once. */
export async function masterKey(dataDir: string, setting?: string): Promise<Buffer> {
  if (setting !== undefined) {
    const given = keyFrom(setting)
    if (!given) throw new Error('MASTER_KEY must be 64 hex digits')
    return given
  }
  const file = path.join(dataDir, 'master.key')
  const written = (await readText(file)) ?? (await makeKeyFile(file))
  const key = keyFrom(written.trim())
  if (!key) throw new Error(`${file} must hold 64 hex digits: restore it from a backup`)
  return key
}

/** The 32 bytes of 64 hex digits; undefined for any other text. */
function keyFrom(text: string) {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined
}

/**
 * Makes the key file and returns its text. The file gets its name only after the whole text is on
 * disk; when another process was first, its text is returned.
 */
async function makeKeyFile(file: string) {
  const fresh = `${file}.${randomBytes(6).toString('hex')}`
  const handle = await open(fresh, 'wx', 0o600)
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await link(fresh, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(fresh)
  return readFile(file, 'utf8')
}

/** Contents of a file; undefined when it does not exist. */
async function readText(file: string) {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
}
