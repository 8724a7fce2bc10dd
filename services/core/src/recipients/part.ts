import { localName } from '@longreach/kit/person-name-rules'
import { definePart } from '@longreach/kit/part'
import type { CoreDeps } from '../deps.ts'
import { directory } from '../directory/part.ts'
import { groups } from '../groups/part.ts'
import { preferences } from '../preferences/part.ts'
import { recipientsContract } from './contract.ts'
import { findActive, findGroups, findRecipients } from './recipient-store.ts'

/** People whom a service sends messages to. */
export const recipients = definePart<CoreDeps>()({
  name: 'recipients',
  contract: recipientsContract,
  uses: [directory, groups, preferences],
  handlers: ({ db }) => ({
    recipients: async ({ body: { organization: resourceId, people, groups: asked } }) => {
      const found = await findActive(db, resourceId)
      if (!found) return { organization: null, people: [], groups: [] }
      const { id, label, realm, closed } = found
      const names = people.map((name) => localName(name, realm))
      const question = { organizationId: id, people: names, groups: asked }
      const [rows, known] = await Promise.all([
        findRecipients(db, question),
        findGroups(db, question),
      ])
      return {
        organization: { resourceId, label, realm, closed },
        people: rows.map(({ first_name, last_name, groups: inGroups, ...row }) => ({
          ...row,
          name: `${first_name} ${last_name}`.trim() || row.username,
          foundBy: [
            ...people.filter((_, at) => names[at] === row.sub || names[at] === row.username),
            ...inGroups,
          ],
        })),
        groups: known,
      }
    },
  }),
})
