import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'

const names = z.array(z.string().max(500)).max(1_000).default([])

/** Person whom a message can be sent to. */
const RecipientPerson = z.object({
  sub: z.string(),
  realm: z.string(),
  username: z.string(),
  /** Name for texts: first and last name, else the user name. */
  name: z.string(),
  email: z.string(),
  /** Language that the person has chosen; null for none. */
  language: z.string().nullable(),
  /** Texts of the question that found the person: subject, user name, or a group's id or name. */
  foundBy: z.array(z.string()),
})

export const recipientsContract = definePartContract({
  endpoints: {
    /**
     * Enabled members of an organization by subject, user name or group; of whom nobody is found is left
     * out. Null as the organization: it is deleted, or was never there.
     */
    recipients: {
      method: 'POST',
      path: '/internal/recipients',
      access: 'service',
      reads: true,
      body: z.object({
        organization: z.string().min(1).max(500),
        /** Subjects or user names. */
        people: names,
        /** Ids or names of groups. */
        groups: names,
      }),
      result: z.object({
        organization: z
          .object({
            resourceId: z.string(),
            label: z.string(),
            realm: z.string(),
            /** resourceIds below with private access, which nothing from here reaches. */
            closed: z.array(z.string()),
          })
          .nullable(),
        people: z.array(RecipientPerson),
        /** Groups that were found, by the text of the question. */
        groups: z.array(z.string()),
      }),
    },
  },
})
