import {
  contentPage,
  type Endpoint,
  flag,
  paging,
  timestamp,
  rowIdText,
} from '@longreach/kit/contract'
import { z } from 'zod'

const sub = z.object({ sub: z.string() })
const language = z.string().max(35)

const LinkPurpose = z.enum(['password', 'invitation'])
const LinkRequest = z.object({
  /** `password` is valid for 15 minutes; an `invitation`, valid for 7 days, also asks for the name. */
  purpose: LinkPurpose.default('password'),
  /** Organization in whose name the mail is sent; an invitation leads to it. */
  organization: z.object({ resourceId: z.string(), label: z.string() }).optional(),
  /** Language of the mail; absent: the language that the person chose. */
  language: language.optional(),
  /** Answer the link instead of mailing it. */
  handOver: z.boolean().default(false),
})
type LinkRequest = z.output<typeof LinkRequest>

/** Mail in the outbox, without its content. */
const Mail = z.object({
  id: z.int(),
  /** resourceId; empty for mails of the realm as a whole. */
  organization: z.string(),
  kind: z.string(),
  recipient: z.string(),
  status: z.enum(['WAITING', 'SENT', 'FAILED']),
  attempts: z.int(),
  /** Last error of the mail server; empty without one. */
  error: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** Time of the next attempt of a waiting mail. */
  nextAt: timestamp.nullable(),
  /** Expiry of the link in the mail; after it a new link is needed, not another attempt. */
  validUntil: timestamp.nullable(),
})
type Mail = z.output<typeof Mail>

/** Mails of one organization; with `all`, of the whole realm. */
const whose = {
  realm: z.string(),
  organization: z.string(),
  all: flag.default(false),
}

const notice = {
  /** Person who gets the mail. */
  sub: z.string(),
  organization: z.object({ resourceId: z.string(), label: z.string() }),
  /** User name of the person who asks or invites. */
  person: z.string(),
}

const MailRequest = z.discriminatedUnion('kind', [
  /**
   * To an address that is registered: the link that confirms the registration, or a notice that it
   * already has an account.
   */
  z.object({
    kind: z.literal('registration'),
    realm: z.string(),
    organization: z.string(),
    email: z.string().max(255),
    language,
    /** Name of the organization that is registered, as the person typed it. */
    label: z.string().max(255),
    /** Path and fragment below the portal’s origin; absent when the address already has an account. */
    path: z.string().startsWith('/').optional(),
    validUntil: timestamp,
  }),
  /** To an administrator of the organization: somebody requests access. */
  z.object({ kind: z.literal('accessRequest'), ...notice }),
  /** To a person who is invited to join the organization. */
  z.object({ kind: z.literal('membershipInvitation'), ...notice }),
])
export type MailRequest = z.output<typeof MailRequest>

/** Calls about one-time links and mails. */
export const linkEndpoints = {
  /**
   * Create a one-time link. It is mailed (`mailed`) when there is a mail server and the person has an
   * address; otherwise `url` is answered, for an administrator to hand over. Older links of the same
   * purpose become invalid.
   */
  oneTimeLink: {
    method: 'POST',
    path: '/accounts/:sub/one-time-link',
    access: 'service',
    params: sub,
    body: LinkRequest,
    result: z.object({ url: z.string().optional(), mailed: z.boolean(), validUntil: timestamp }),
  },
  /** Mails of an organization, newest first; `sending` is true when a mail server is configured. */
  mails: {
    method: 'GET',
    path: '/mails',
    access: 'service',
    query: z.object({
      ...paging(),
      ...whose,
      status: z.enum(['WAITING', 'SENT', 'FAILED']).optional(),
    }),
    result: contentPage(Mail).extend({ sending: z.boolean() }),
  },
  /** Send a failed mail again, with a new count of attempts. */
  retryMail: {
    method: 'POST',
    path: '/mails/:id/retry',
    access: 'service',
    params: z.object({ id: rowIdText }),
    body: z.object(whose),
    result: Mail,
  },
  /** Mail a text to a person or an address. */
  sendMail: {
    method: 'POST',
    path: '/mails',
    access: 'service',
    body: MailRequest,
    /** A notice is not mailed without a mail server or an address; a registration fails then. */
    result: z.object({ mailed: z.boolean() }),
  },
  /** Hash of a password for an account that is created later; fails as `createAccount` does. */
  passwordHash: {
    method: 'POST',
    path: '/password-hashes',
    access: 'service',
    body: z.object({ username: z.string().max(255), password: z.string().min(1).max(512) }),
    result: z.object({ hash: z.string() }),
  },
} as const satisfies Record<string, Endpoint>
