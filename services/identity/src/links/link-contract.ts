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
  /** `password` is good for 15 minutes; on an `invitation`, good for 7 days, the person also gives their name. */
  purpose: LinkPurpose.default('password'),
  /** The organization that the mail speaks for; an invitation leads into it. */
  organization: z.object({ resourceId: z.string(), label: z.string() }).optional(),
  /** Language of the mail; absent: the person's. */
  language: language.optional(),
  /** Answer the link in any case, and mail nothing. */
  handOver: z.boolean().default(false),
})
type LinkRequest = z.output<typeof LinkRequest>

/** A mail in the outbox, without its content. */
const Mail = z.object({
  id: z.int(),
  /** resourceId; empty: of the realm as a whole. */
  organization: z.string(),
  kind: z.string(),
  recipient: z.string(),
  status: z.enum(['WAITING', 'SENT', 'FAILED']),
  attempts: z.int(),
  /** What the mail server said last, when it did not take the mail. */
  error: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  /** When a waiting mail is tried next. */
  nextAt: timestamp.nullable(),
  /** After this its link is dead: it needs a new link, not another attempt. */
  validUntil: timestamp.nullable(),
})
type Mail = z.output<typeof Mail>

/** The organization whose mails are meant; with `all`, every mail of the realm. */
const whose = {
  realm: z.string(),
  organization: z.string(),
  all: flag.default(false),
}

export const linkEndpoints = {
  /**
   * A link, good once. It is mailed (`mailed`) when there is a mail server and the person has an
   * address; otherwise `url` is answered, for an administrator to hand over. Older links of the same
   * purpose end.
   */
  oneTimeLink: {
    method: 'POST',
    path: '/accounts/:sub/one-time-link',
    access: 'service',
    params: sub,
    body: LinkRequest,
    result: z.object({ url: z.string().optional(), mailed: z.boolean(), validUntil: timestamp }),
  },
  /** Mails of an organization, newest first; `sending` says whether there is a mail server. */
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
  /** Try a mail that failed again, from the beginning. */
  retryMail: {
    method: 'POST',
    path: '/mails/:id/retry',
    access: 'service',
    params: z.object({ id: rowIdText }),
    body: z.object(whose),
    result: Mail,
  },
  /** Mail to somebody who has no account yet: the link that confirms a registration, or word that there is an account. */
  mailRegistration: {
    method: 'POST',
    path: '/mails/registration',
    access: 'service',
    body: z.object({
      realm: z.string(),
      organization: z.string(),
      email: z.string().max(255),
      language,
      /** Name of what is registered, as the person typed it. */
      label: z.string().max(255),
      /** Path and fragment below the portal's origin; absent: the address has an account already. */
      path: z.string().startsWith('/').optional(),
      validUntil: timestamp,
    }),
    result: z.undefined(),
  },
  /** Word to an administrator that somebody asks to be let into an organization; not sent without a mail server or an address. */
  mailAccessRequest: {
    method: 'POST',
    path: '/accounts/:sub/mails/access-request',
    access: 'service',
    params: sub,
    body: z.object({
      organization: z.object({ resourceId: z.string(), label: z.string() }),
      /** User name of who asks. */
      person: z.string(),
    }),
    result: z.object({ mailed: z.boolean() }),
  },
  /** Word to a person who is asked to join an organization; not sent without a mail server or an address. */
  mailMembershipInvitation: {
    method: 'POST',
    path: '/accounts/:sub/mails/membership-invitation',
    access: 'service',
    params: sub,
    body: z.object({
      organization: z.object({ resourceId: z.string(), label: z.string() }),
      /** User name of who invites. */
      person: z.string(),
    }),
    result: z.object({ mailed: z.boolean() }),
  },
  /** A password as it may be stored, for an account that is made later; refused as createAccount would. */
  passwordHash: {
    method: 'POST',
    path: '/password-hashes',
    access: 'service',
    body: z.object({ username: z.string().max(255), password: z.string().min(1).max(512) }),
    result: z.object({ hash: z.string() }),
  },
} as const satisfies Record<string, Endpoint>
