import { api } from '../../lib/api.ts'
import { csvLine, saveFile } from '../../lib/csv.ts'
import { type ListState, questionOf } from './people-url.ts'

const pageSize = 5_000

/** The list as it is filtered and ordered, all of it, as a CSV file. */
export async function exportPeople(org: string, state: ListState, t: (word: string) => string) {
  const columns = ['username', 'email', 'firstName', 'lastName', 'kind', 'status', 'created']
  const parts = ['\uFEFF', csvLine(columns.map((column) => t(`permission.${column}`)))]
  let last = false
  for (let page = 0; !last; page += 1) {
    const asked = { ...questionOf(state), page, pageSize }
    const some = await api.core.users({ params: { org }, query: asked })
    last = some.last
    for (const person of some.content) {
      const { username, email, firstName, lastName, serviceAccount, enabled, createdAt } = person
      const kind = t(serviceAccount ? 'permission.service' : 'permission.person')
      const status = t(enabled ? 'permission.enabled' : 'permission.disabled')
      const created = new Date(createdAt).toISOString()
      parts.push(csvLine([username, email, firstName, lastName, kind, status, created]))
    }
  }
  saveFile(`people-${org}.csv`, parts)
}
