import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { longestPassword } from './password-rules.ts'

/** argon2id (the library's default) as OWASP's password storage sheet has it: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const canonical = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string) => hash(canonical(password), cost)

/** A hash that no password fits: it costs what a real one costs. */
const nobodys = hash(randomBytes(32).toString('base64'), cost)

/**
 * Does the password fit the hash? Without a hash (no such person, no password yet) the work is the
 * same and the answer is no.
 */
export async function passwordFits(password: string, stored: string | null | undefined) {
  const short = password.slice(0, longestPassword)
  const fits = await verify(stored ?? (await nobodys), canonical(short))
  return fits && typeof stored === 'string' && short === password
}
