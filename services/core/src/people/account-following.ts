import { identityContract } from '@longreach/identity/contract'
import { on } from '@longreach/kit/events'
import type { CoreDb } from '../database.ts'

/** Consumer that copies changed names and addresses of accounts from identity. */
export const followAccounts = on<CoreDb, typeof identityContract.events.accountChanged.payload>(
  identityContract.events.accountChanged,
  async ({ sub, email, firstName, lastName }, tx) => {
    await tx
      .updateTable('app_user')
      .set({ email, first_name: firstName, last_name: lastName })
      .where('sub', '=', sub)
      .execute()
  },
)
