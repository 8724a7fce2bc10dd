import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '@longreach/kit/secrets'
import { canonical } from './chain.ts'
import type { Head } from '../database.ts'

/**
 * Seals of the ends of the chain and of its retention, with a key that is not in the database: a person
 * who can write there can neither cut or replace the chain nor claim that entries were deleted in time.
 */
export function sealsOf(secrets: Secrets) {
  const key = secrets.derive('audit-chain')
  const seal = (value: readonly unknown[]) =>
    createHmac('sha256', key).update(canonical(value)).digest()
  const head = ({ base_seq, base_hash, head_seq, head_hash }: Head) =>
    seal(['head', base_seq, base_hash.toString('hex'), head_seq, head_hash.toString('hex')])
  return {
    head,
    retention: (organization: string, days: number) => seal(['retention', organization, days]),
    checkpoint: (organization: string, until: Date) =>
      seal(['checkpoint', organization, until.toISOString()]),
  }
}
export type Seals = ReturnType<typeof sealsOf>

export const isSame = (a: Buffer, b: Buffer) => a.length === b.length && timingSafeEqual(a, b)
