import type { Secrets } from '@longreach/kit/secrets'
import type { Firing } from '../firing-contract.ts'
import type { AnyAction } from '../saving/action-contract.ts'

/** All that an action needs when it runs. */
export type Work = {
  action: AnyAction
  secrets: Readonly<Record<string, string>>
  firing: Firing
  /** Input that fired. */
  cause?: Firing['inputs'][number] | undefined
  zone?: string | null | undefined
}

const workLabel = (id: string) => `triggers.action:${id}`

export const sealWork = (secrets: Secrets, id: string, work: Work) =>
  secrets.seal(workLabel(id), JSON.stringify(work))

export const openWork = (secrets: Secrets, id: string, sealed: Buffer) =>
  JSON.parse(secrets.open(workLabel(id), sealed).toString()) as Work // as `sealWork` wrote it
