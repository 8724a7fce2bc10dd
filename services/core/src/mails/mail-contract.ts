import { contentPage, type Endpoint, paging, timestamp, rowIdText } from '@longreach/kit/contract'
import { z } from 'zod'

/** A mail that was sent, or is to be; never what it says. */
const Mail = z.object({
  id: z.int(),
  /** resourceId of the organization it is about; empty: the realm as a whole. */
  organization: z.string(),
  /** `password`, `invitation`, `email`, `emailChanged`, `registration`, `registered`, `accessRequest`. */
  kind: z.string(),
  recipient: z.string(),
  status: z.enum(['WAITING', 'SENT', 'FAILED']),
  attempts: z.int(),
  /** Error of the mail server that refused the mail. */
  error: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  nextAt: timestamp.nullable(),
  validUntil: timestamp.nullable(),
})

const org = z.object({ org: z.string() })

export const mailEndpoints = {
  /** Mails of the organization, newest first; in a root organization those of its whole realm. */
  mails: {
    method: 'GET',
    path: '/organizations/:org/mails',
    access: 'users:read',
    params: org,
    query: z.object({ ...paging(), status: z.enum(['WAITING', 'SENT', 'FAILED']).optional() }),
    /** `sending`: there is a mail server. */
    result: contentPage(Mail).extend({ sending: z.boolean() }),
  },
  /** Try a failed mail again; 409 when its link is dead and a new one is needed. */
  retryMail: {
    method: 'POST',
    path: '/organizations/:org/mails/:mail/retry',
    access: 'users:update',
    params: z.object({ org: z.string(), mail: rowIdText }),
    body: z.object({}),
    result: Mail,
  },
} as const satisfies Record<string, Endpoint>
