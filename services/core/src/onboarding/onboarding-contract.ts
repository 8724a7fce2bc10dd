import { type Endpoint, rowId } from '@longreach/kit/contract'
import { z } from 'zod'
import { Agreement } from '../agreements/agreement-contract.ts'
import {
  Organization,
  OrganizationLabel,
  OrganizationName,
} from '../organizations/organization-contract.ts'

/** User names that people give themselves: plain letters, so that none looks like another. */
const OwnUsername = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(
    z.stringFormat(
      'own_user_name',
      /^[a-z0-9][a-z0-9._-]{0,63}$/,
      'must be letters, digits, dots and dashes, at most 64',
    ),
  )

export const Registration = z.object({
  organization: z.object({ name: OrganizationName, label: OrganizationLabel.optional() }),
  user: z.object({
    /** Absent where mail is sent: then the address is the user name. */
    username: OwnUsername.optional(),
    email: z.union([z.literal(''), z.email().max(255).toLowerCase()]).default(''),
    firstName: z.string().trim().max(255).default(''),
    lastName: z.string().trim().max(255).default(''),
    password: z.string().min(1).max(512),
  }),
  /** Ids of the agreements that the person read and accepts. */
  agreements: z.array(rowId).max(100).default([]),
  /** Language of the mail. */
  language: z.string().max(35).default('en'),
})
export type Registration = z.output<typeof Registration>

const Registered = z.object({
  /** The person must open the link in a mail first. */
  confirmation: z.boolean(),
  /** Realm to sign in to, once everything is made. */
  realmName: z.string().optional(),
  organization: Organization.optional(),
})

export const onboardingEndpoints = {
  /** May people register here, and what do they agree to? */
  onboarding: {
    method: 'GET',
    path: '/onboarding',
    access: 'public',
    result: z.object({
      open: z.boolean(),
      /** The address is proven by mail. */
      mail: z.boolean(),
      /** Label of the organization that theirs will be below; null: it stands by itself. */
      parent: z.string().nullable(),
      agreements: z.array(Agreement),
    }),
  },
  /**
   * A person registers and gets an organization of their own. Where mail is sent, it is made when they
   * open the link in it; the answer is the same for addresses that have an account.
   */
  selfOnBoarding: {
    method: 'POST',
    path: '/organizations/selfOnBoarding',
    also: ['/selfOnBoarding'],
    access: 'public',
    query: z.object({
      agreementsServiceName: z.string().max(100).optional(),
      serviceName: z.string().max(100).optional(),
    }),
    body: Registration,
    result: Registered,
    status: 201,
  },
  /** The link in the mail was opened: make what was registered, under another name if the first is gone. */
  confirmOnBoarding: {
    method: 'POST',
    path: '/onboarding/confirm',
    access: 'public',
    body: z.object({ token: z.string().max(200), name: OrganizationName.optional() }),
    result: Registered,
    status: 201,
  },
} as const satisfies Record<string, Endpoint>
