import type { Secrets } from '@longreach/kit/secrets'
import type { TriggerRow } from '../database.ts'
import type { ActionSecrets } from './secret-rules.ts'

const labelOf = (id: string) => `triggers.trigger:${id}`

export const sealSecrets = (secrets: Secrets, id: string, plain: ActionSecrets) =>
  secrets.seal(labelOf(id), JSON.stringify(plain))

export const openSecrets = (
  secrets: Secrets,
  { id, secrets: sealed }: Pick<TriggerRow, 'id' | 'secrets'>,
) => JSON.parse(secrets.open(labelOf(id), sealed).toString()) as ActionSecrets // as `sealSecrets` wrote it
