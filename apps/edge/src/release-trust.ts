import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { UpdateOrder } from '@longreach/device-protocol/agent-wire'
import { isEndorsedBy, isLower, isSignedBy } from '@longreach/device-protocol/release-signature'
import { z } from 'zod'
import { CommandFault } from './command-fault.ts'

const Trust = z.object({
  publicKey: z.string().min(1),
  /** Release time of the newest accepted version. */
  releasedAt: z.number().default(0),
})
type Trust = z.output<typeof Trust>

const trustFile = (dataDir: string) => path.join(dataDir, 'release-key.json')

function readTrust(dataDir: string): Trust | undefined {
  try {
    return Trust.parse(JSON.parse(readFileSync(trustFile(dataDir), 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined // no key yet
    throw new Error(`${trustFile(dataDir)} cannot be read; no update is taken until it can`, {
      cause: error,
    })
  }
}

function writeTrust(dataDir: string, trust: Trust) {
  mkdirSync(dataDir, { recursive: true })
  const fresh = `${trustFile(dataDir)}.new`
  writeFileSync(fresh, JSON.stringify(trust), { mode: 0o600, flush: true })
  renameSync(fresh, trustFile(dataDir))
}

/** Release key of this agent; null before it has one. */
export function trustedKey(dataDir: string): string | null {
  try {
    return readTrust(dataDir)?.publicKey ?? null
  } catch {
    return 'unreadable' // reported as a wrong key, so that it cannot be replaced remotely
  }
}

/**
 * Stores the key if there is none yet, or the stored one endorses it; returns false when the stored
 * one stays.
 */
export function learnReleaseKey(dataDir: string, publicKey: string, endorsement = ''): boolean {
  const known = trustedKey(dataDir)
  if (known === publicKey) return true
  if (known !== null && !isEndorsedBy(known, publicKey, endorsement)) return false
  writeTrust(dataDir, { releasedAt: 0, ...readTrust(dataDir), publicKey })
  return true
}

/**
 * Refuses an update that this agent's platform did not sign, or an older version without
 * `downgrade`.
 */
export function checkOrder(dataDir: string, order: UpdateOrder, running: string) {
  const trust = readTrust(dataDir)
  if (!trust) {
    throw new CommandFault(
      'not_possible',
      'this agent does not know the release key of its platform yet; it learns it when it connects',
    )
  }
  const { version, sha256, bytes, releasedAt, downgrade = false, signature } = order
  if (signature === undefined || releasedAt === undefined) {
    throw new CommandFault('not_possible', 'the update is not signed and is not taken')
  }
  const manifest = { version, sha256, bytes, releasedAt, downgrade }
  if (!isSignedBy(trust.publicKey, manifest, signature)) {
    throw new CommandFault(
      'not_possible',
      `the update is not signed by the release key that this agent learned; if the platform was set up anew, remove ${trustFile(dataDir)} at the gateway`,
    )
  }
  const older = releasedAt < trust.releasedAt || isLower(version, running)
  if (older && !downgrade) {
    throw new CommandFault(
      'not_possible',
      `${version} is older than ${running}; going back must be asked for as that`,
    )
  }
}

/** Records the release time of an accepted update; earlier releases count as older from then on. */
export function saveReleaseTime(dataDir: string, { releasedAt = 0 }: UpdateOrder) {
  const trust = readTrust(dataDir)
  if (trust) writeTrust(dataDir, { ...trust, releasedAt })
}
