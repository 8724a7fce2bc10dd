import { rowId } from '@longreach/kit/contract'
import { z } from 'zod'

/** A person as the wire shows them. */
export const User = z.object({
  id: z.int(),
  /** The subject of the person's tokens. */
  sub: z.string(),
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  serviceAccount: z.boolean(),
  /** A disabled account cannot sign in and has no rights anywhere. */
  enabled: z.boolean(),
  /** Milliseconds since 1970. */
  createdAt: z.number(),
  /** In an organization: the device groups of the person's groups restrict them too. */
  groupPoliciesEnabled: z.boolean().optional(),
  /** In a list of a group's members: their part in it. */
  membershipRole: z.enum(['ADMIN', 'USER']).optional(),
})
export type User = z.output<typeof User>

export const Username = z
  .string()
  .trim()
  .toLowerCase()
  .min(1)
  .max(255)
  .pipe(
    z.stringFormat(
      'user_name',
      /^[^\s/\\@:]+(@[^\s/\\@:]+)?$/,
      'must not hold blanks, slashes, colons or a second @',
    ),
  )
export const Email = z.union([z.email().max(255), z.literal(''), z.literal('--')])
/** Personal facts that people change themselves. */
export const personal = {
  email: Email,
  firstName: z.string().trim().max(255),
  lastName: z.string().trim().max(255),
  password: z.string().min(1).max(512),
}
/** A person who does not exist yet; without a password they get a one-time link. */
export const NewPerson = z.object({
  username: Username,
  email: personal.email.default(''),
  firstName: personal.firstName.default(''),
  lastName: personal.lastName.default(''),
  password: personal.password.optional(),
})
export type NewPerson = z.output<typeof NewPerson>

const groups = z.array(rowId).max(1000).default([])
/** Groups and roles that somebody gets in an organization. */
export const Wish = z.object({
  groupPoliciesEnabled: z.boolean().default(false),
  memberOf: groups,
  regularUserOf: groups,
  adminUserOf: groups,
  /** Roles for the person alone: their own group carries them. */
  rolesId: groups,
})
export type Wish = z.output<typeof Wish>
