import { definePartContract, flag } from '@longreach/kit/contract'
import { z } from 'zod'
import {
  chosenChannels,
  clockTime,
  inOrganization,
  languages,
  ms,
  timeZone,
} from '../asked-contract.ts'

/** Choices of a person about their messages, in all organizations. */
export const PreferenceSettings = z.object({
  /** Channels by severity, 0 to 6; a severity that is left out has those of the rule. */
  bySeverity: z
    .record(
      z.string().regex(/^[0-6]$/, 'must be a severity, 0 to 6'),
      z.array(z.enum(chosenChannels)).max(10),
    )
    .default({}),
  /** Hours without messages; those of severity `through` and above come all the same. */
  quiet: z
    .object({
      from: clockTime,
      to: clockTime,
      zone: timeZone,
      through: z.int().min(0).max(7).default(6),
    })
    .nullable()
    .default(null),
  /** No message but in the inbox until this time. */
  pausedUntil: ms.nullable().default(null),
  /** Language of messages; null for that of the portal. */
  language: z.enum(languages).nullable().default(null),
})
export type PreferenceSettings = z.output<typeof PreferenceSettings>

const InboxItem = z.object({
  id: z.uuid(),
  orgResourceId: z.string(),
  severity: z.int(),
  subject: z.string(),
  body: z.string(),
  alarmIds: z.array(z.string()),
  deviceId: z.string().nullable(),
  createdAt: ms,
  isRead: z.boolean(),
})

export const inboxContract = definePartContract({
  endpoints: {
    /** Messages of the caller in every organization, newest first. */
    inbox: {
      method: 'GET',
      path: '/inbox',
      access: 'member',
      query: inOrganization.extend({
        unread: flag.optional(),
        /** `next` of the page before. */
        next: z.string().max(100).optional(),
        pageSize: z.coerce.number<number>().int().min(1).max(200).default(50),
      }),
      result: z.object({ data: z.array(InboxItem), next: z.string().nullable(), unread: z.int() }),
    },
    /** Mark messages as read: those of `ids`, or all. */
    readInbox: {
      method: 'POST',
      path: '/inbox/read',
      access: 'member',
      query: inOrganization,
      body: z.object({ ids: z.array(z.uuid()).max(1_000).optional() }),
      result: z.object({ unread: z.int() }),
      audit: 'own',
    },
    preferences: {
      method: 'GET',
      path: '/preferences',
      access: 'member',
      query: inOrganization,
      result: PreferenceSettings,
    },
    setPreferences: {
      method: 'PUT',
      path: '/preferences',
      access: 'member',
      query: inOrganization,
      body: PreferenceSettings,
      result: PreferenceSettings,
    },
  },
  events: {
    /** Messages of a person came or were read; `unread` is the number of those that are not. */
    inboxChanged: {
      topic: 'notifications.inbox_changed',
      payload: z.object({ sub: z.string(), unread: z.int(), severity: z.int() }),
      lane: ({ sub }: { sub: string }) => sub,
    },
  },
})
