import type { Translate } from '@longreach/ui/use-words'
import { csvLine } from '@longreach/kit/csv'
import { api } from '../../parts/api/api.ts'
import { saveFile } from '../../parts/tables/save-file.ts'
import type { Listed } from './people-calls.ts'
import { type ListState, questionOf, stateWords } from './people-url.ts'

const pageSize = 1_000

const columns = [
  'username',
  'email',
  'firstName',
  'lastName',
  'kind',
  'roles',
  'twoFactor',
  'lastSignIn',
  'status',
  'created',
] as const
/** The list as it is filtered and ordered, all of it, as a CSV file. */
export async function exportPeople(org: string, state: ListState, t: Translate) {
  const parts = ['\uFEFF', csvLine(columns.map((column) => t(`permission.${column}`)))]
  let last = false
  for (let page = 0; !last; page += 1) {
    const asked = { ...questionOf(state), page, pageSize, details: true }
    const some = await api.core.users({ params: { org }, query: asked })
    last = some.last
    for (const person of some.content) parts.push(csvLine(cellsOf(person, t)))
  }
  saveFile(`people-${org}.csv`, parts)
}

/** Cells of a person in the exported list; empty for facts that the reader may not see. */
export function cellsOf(person: Listed, t: Translate): string[] {
  const { username, email, firstName, lastName, serviceAccount, enabled, createdAt } = person
  const { roles, twoFactor, lastSignIn, state = enabled ? 'ACTIVE' : 'DISABLED' } = person
  const signedIn = lastSignIn === null ? t('permission.neverSignedIn') : timeOf(lastSignIn)
  return [
    username,
    email,
    firstName,
    lastName,
    t(serviceAccount ? 'permission.service' : 'permission.person'),
    (roles ?? []).map(({ label }) => label).join('; '),
    twoFactor === undefined ? '' : t(`permission.factor${twoFactor ? 'On' : 'Off'}`),
    signedIn,
    t(stateWords[state]),
    timeOf(createdAt),
  ]
}

const timeOf = (at: number | undefined) => (at === undefined ? '' : new Date(at).toISOString())
