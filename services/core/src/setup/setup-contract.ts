import type { Endpoint } from '@longreach/kit/contract'
import { z } from 'zod'
import {
  Organization,
  OrganizationLabel,
  OrganizationName,
} from '../organizations/organization-contract.ts'
import { NewPerson, User } from '../directory/person-contract.ts'

export const Setup = z.object({
  /** Setup token that the console printed; blanks, dashes and case are ignored. */
  token: z.string().max(200),
  organization: z.object({ name: OrganizationName, label: OrganizationLabel.optional() }),
  user: NewPerson.extend({ password: z.string().min(1).max(512) }),
})
export type Setup = z.output<typeof Setup>

export const setupEndpoints = {
  /** Id of this installation, with the times of its creation and last change. */
  instance: {
    method: 'GET',
    path: '/instance',
    access: 'public',
    result: z.object({ id: z.uuid(), createdAt: z.string(), updatedAt: z.string() }),
  },
  /** Is there no organization yet? */
  setupNeeded: {
    method: 'GET',
    path: '/setup',
    access: 'public',
    result: z.object({ needed: z.boolean() }),
  },
  /** Make the root organization with its realm and its owner, once, with the token that the console printed. */
  setup: {
    method: 'POST',
    path: '/setup',
    access: 'public',
    body: Setup,
    result: z.object({ organization: Organization, user: User }),
    status: 201,
  },
  /** For the server's start: a fresh one-time token, in place of an earlier one, while no organization exists. */
  setupToken: {
    method: 'POST',
    path: '/internal/setup-token',
    access: 'service',
    body: z.object({}),
    result: z.object({ needed: z.boolean(), token: z.string().optional() }),
  },
} as const satisfies Record<string, Endpoint>
