import { initials } from '../shell/initials.ts'
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
    // The letters are drawn by the style sheet: read aloud after the name they would only repeat it.
    <span
      className={classes.mark}
      style={{ width: size, height: size }}
      data-initials={initials(organization.label || organization.name)}
      aria-hidden="true"
    />
  )
}
