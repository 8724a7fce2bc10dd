type Hosted = { realmName: string; organization: string; origin: string | undefined }

/**
 * Where a person goes on who came by the host of an organization: to the installation's origin
 * (`leave`), or on at this one when that is the same; with realm and organization in the address.
 * An organization that the address names itself stays.
 */
export function hostedAddress(
  at: Pick<Location, 'href' | 'origin'>,
  { realmName, organization, origin = at.origin }: Hosted,
) {
  const url = new URL(at.href)
  const leave = origin !== at.origin
  if (!url.searchParams.has('org')) url.searchParams.set('org', organization)
  if (leave) url.searchParams.set('realm', realmName)
  // Put together, not resolved: a path that begins with `//` would lead to another host.
  return { leave, address: origin + url.pathname + url.search + (leave ? '' : url.hash) }
}
