/** Calls that Schemathesis does not make: each would end the run, or cannot be judged by it. */
export const leftOut: readonly { operation: string; why: string }[] = [
  {
    operation: 'core_deleteOrganization',
    why: 'its organization is the one that every other call is about',
  },
  {
    operation: 'core_updateOrganization',
    why: 'a list of addresses, or a second factor asked of everybody, shuts the run out of its own organization',
  },
  {
    operation: 'core_createAgreement',
    why: 'an agreement that counts at once is put before the sign-in that fetches the next token',
  },
  {
    operation: 'core_roleExists',
    why: 'it is asked by its address alone, so that its wrong cases are headers, which HTTP has ignored',
  },
]
