import classes from './OrganizationMark.module.css'

type Named = { label: string; name: string }

/** Two letters of an organization on its colour, until it has a logo. */
export function OrganizationMark({
  organization,
  size = 26,
}: {
  organization: Named
  size?: number
}) {
  return (
    <span className={classes.mark} style={{ width: size, height: size }} aria-hidden="true">
      {initials(organization.label || organization.name)}
    </span>
  )
}

/** First letters of the first two words; of one word its first two. */
export function initials(name: string) {
  const [first = '', second] = name.split(/[\s._-]+/).filter((word) => word !== '')
  return ((first[0] ?? '') + (second?.[0] ?? first[1] ?? '')).toUpperCase()
}
