import { useWords } from '@longreach/ui/use-words'
import { Switch } from '@mantine/core'
import { isFlagOffered, type ValueName, type Values } from './change-rules.ts'
import { Effects } from './Effects.tsx'
import classes from './organizations.module.css'
import type { OrganizationForm } from './use-organization-form.ts'

type FlagName = {
  [K in ValueName]: Values[K] extends boolean ? K : never
}[ValueName]

type Props = {
  form: OrganizationForm
  name: FlagName
  /** Why it cannot be turned on. */
  reason?: string | undefined
  disabled?: boolean
}

/** A flag with what it means, and what turning it would do; nothing where the product lacks what it switches. */
export function FlagField({ form, name, reason, disabled = false }: Props) {
  const t = useWords()
  if (!isFlagOffered(name)) return null
  const on = form.values[name]
  const kept = disabled || (reason !== undefined && !on)
  return (
    <div className={classes.field}>
      <Switch
        label={t(`organizations.flag.${name}`)}
        description={kept && reason ? reason : t(`organizations.flagHelp.${name}`)}
        checked={on}
        disabled={kept}
        error={form.errorOf(name)}
        onChange={(event) => form.set(name, event.currentTarget.checked)}
      />
      <Effects effects={form.effectsOf(name)} />
    </div>
  )
}
