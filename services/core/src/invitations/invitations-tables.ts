import type { Generated, JSONColumnType } from 'kysely'
import type { Caller } from '@longreach/kit/service'
import type { Wish } from '../directory/person-contract.ts'

export type InvitationsTables = {
  membership_invitation: {
    id: Generated<number>
    organization_id: number
    user_id: number
    wish: JSONColumnType<Wish>
    inviter: JSONColumnType<Caller>
    created_at: Date
  }
}
