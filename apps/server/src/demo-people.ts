/**
 * Organizations of the demo: two roots, the first with a dealer and a customer's plant below it.
 */
export const demoOrganizations = [
  { name: 'nordwerk', label: 'Nordwerk Ovens', below: undefined, dealer: false },
  { name: 'alpdrive', label: 'AlpDrive Service', below: 'nordwerk', dealer: true },
  { name: 'sonnenkorn', label: 'Sonnenkorn Bakery', below: 'nordwerk', dealer: false },
  { name: 'acqua', label: 'Acqua Servizi', below: undefined, dealer: false },
] as const

export type DemoPerson = {
  username: string
  firstName: string
  lastName: string
  /** resourceId of the organization of which the person is a member. */
  organization: string
  /** Labels of the default roles; `owner` is made with the root organization. */
  roles: 'owner' | readonly string[]
}

/** People of the demo with different rights; the first of each root organization is its owner. */
export const demoPeople: readonly DemoPerson[] = [
  {
    username: 'anna',
    firstName: 'Anna',
    lastName: 'Berg',
    organization: 'nordwerk',
    roles: 'owner',
  },
  {
    username: 'tom',
    firstName: 'Tom',
    lastName: 'Keller',
    organization: 'nordwerk',
    roles: ['Service engineer'],
  },
  {
    username: 'dario',
    firstName: 'Dario',
    lastName: 'Rossi',
    organization: 'nordwerk.alpdrive',
    roles: ['Dealer'],
  },
  {
    username: 'eva',
    firstName: 'Eva',
    lastName: 'Sonntag',
    organization: 'nordwerk.sonnenkorn',
    roles: ['Operator'],
  },
  {
    username: 'max',
    firstName: 'Max',
    lastName: 'Maier',
    organization: 'nordwerk.sonnenkorn',
    roles: ['Viewer'],
  },
  {
    username: 'paola',
    firstName: 'Paola',
    lastName: 'Conti',
    organization: 'acqua',
    roles: 'owner',
  },
  {
    username: 'luca',
    firstName: 'Luca',
    lastName: 'Greco',
    organization: 'acqua',
    roles: ['Viewer'],
  },
]
