import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { longestPassword } from './password-rules.ts'

/**
 * Cost of argon2id (the library’s default) after OWASP’s password storage cheat sheet: 19 MiB, two
 * passes, one lane.
 */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const canonical = (password: string) => password.normalize('NFKC')

export const hashPassword = (password: string) => hash(canonical(password), cost)

/** Hash that no password fits, with the same cost as a real one. */
const nobodys = hash(randomBytes(32).toString('base64'), cost)

/**
 * Test of a password against a hash. Without a hash (unknown person, no password yet) it takes the same
 * time and is false.
 */
export async function passwordFits(password: string, stored: string | null | undefined) {
  const short = password.slice(0, longestPassword)
  const fits = await verify(stored ?? (await nobodys), canonical(short))
  return fits && typeof stored === 'string' && short === password
}
