import { type Endpoint, rowId, rowIdText, timestamp } from '@longreach/kit/contract'
import { z } from 'zod'
import { Username, Wish } from '../directory/person-contract.ts'

/** An invitation as the administrators of the organization see it. */
const OpenInvitation = z.object({
  id: rowId,
  username: z.string(),
  invitedBy: z.string(),
  createdAt: timestamp,
})

/** An invitation as the person sees it who is invited. */
const MyInvitation = z.object({
  id: rowId,
  organization: z.object({ resourceId: z.string(), label: z.string() }),
  invitedBy: z.string(),
  createdAt: timestamp,
})
type MyInvitation = z.output<typeof MyInvitation>

const org = z.object({ org: z.string() })
const one = z.object({ invitation: rowIdText })

export const invitationEndpoints = {
  /**
   * Ask somebody of the realm to join the organization. They join at once when the caller administers
   * them in another organization; else they accept or decline, and nothing is told of them.
   */
  inviteUser: {
    method: 'POST',
    path: '/organizations/:org/invitations',
    access: 'users:create',
    params: org,
    body: Wish.extend({ username: Username }),
    result: z.object({ outcome: z.enum(['JOINED', 'INVITED']) }),
    status: 201,
  },
  /** Open invitations, oldest first; each is open for 30 days. */
  invitations: {
    method: 'GET',
    path: '/organizations/:org/invitations',
    access: 'users:create',
    params: org,
    result: z.array(OpenInvitation),
  },
  withdrawInvitation: {
    method: 'DELETE',
    path: '/organizations/:org/invitations/:invitation',
    access: 'users:create',
    params: one.extend(org.shape),
    result: z.undefined(),
  },
  /** The organizations that the caller is invited to join. */
  myInvitations: {
    method: 'GET',
    path: '/invitations',
    access: 'signed-in',
    result: z.array(MyInvitation),
  },
  /** Join, with the groups and roles that the inviter may still give. */
  acceptInvitation: {
    method: 'POST',
    path: '/invitations/:invitation/accept',
    access: 'signed-in',
    inPerson: true,
    params: one,
    body: z.object({}),
    result: MyInvitation,
  },
  declineInvitation: {
    method: 'POST',
    path: '/invitations/:invitation/decline',
    access: 'signed-in',
    inPerson: true,
    params: one,
    body: z.object({}),
    result: z.undefined(),
  },
} as const satisfies Record<string, Endpoint>
