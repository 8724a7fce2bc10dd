import { useWords } from '@longreach/ui/use-words'
import { Button, TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useFeature } from '../../parts/session/features.ts'
import { type Organization, useMay } from '../../parts/session/session.ts'
import type { ValueName } from './change-rules.ts'
import { ClosedBelow } from './ClosedBelow.tsx'
import { Effects } from './Effects.tsx'
import { FlagField } from './FlagField.tsx'
import { accessRulesQuery } from './organization-calls.ts'
import classes from './organizations.module.css'
import { PeopleWithoutFactor } from './PeopleWithoutFactor.tsx'
import { SaveChanges } from './SaveChanges.tsx'
import { type OrganizationForm, useOrganizationForm } from './use-organization-form.ts'
import { WritePolicy } from './WritePolicy.tsx'

const names: readonly ValueName[] = [
  'ipAddressesWhitelist',
  'secondFactorRequired',
  'privateAccess',
  'allowDisablePrivateAccess',
]

/** From where and how people come in, and who from above may. */
export function SecurityTab({ organization }: { organization: Organization }) {
  const t = useWords()
  const may = useMay()
  const kept = !may('organizations:update')
  const form = useOrganizationForm(organization, names)
  const { resourceId: org } = organization
  const rules = useQuery(accessRulesQuery(org)).data
  // A rule that is in force is shown to everybody who may see this page, whatever they switched on.
  const inForce =
    organization.ipAddressesWhitelist.length + (rules?.allowedAddresses.length ?? 0) > 0
  const showsAddresses = useFeature('ipFilter') || inForce
  return (
    <form className={classes.form} noValidate onSubmit={(event) => event.preventDefault()}>
      {kept && <p className={classes.hint}>{t('organizations.mayNotUpdate')}</p>}
      {showsAddresses && (
        <section className={classes.group}>
          <h3>{t('organizations.group.addresses')}</h3>
          <Addresses form={form} disabled={kept} />
          <FromAbove org={org} where={rules?.allowedAddressesFrom}>
            {rules?.allowedAddresses.join(', ')}
          </FromAbove>
        </section>
      )}
      <section className={classes.group}>
        <h3>{t('organizations.group.secondFactor')}</h3>
        <FlagField form={form} name="secondFactorRequired" disabled={kept} />
        <FromAbove org={org} where={rules?.secondFactorFrom} />
        {may('users:read') && <PeopleWithoutFactor org={org} />}
      </section>
      <section className={classes.group}>
        <h3>{t('organizations.group.private')}</h3>
        <FlagField form={form} name="privateAccess" disabled={kept} />
        <FlagField form={form} name="allowDisablePrivateAccess" disabled={kept} />
        <FromAbove org={org} where={rules?.privateFrom} />
        <ClosedBelow org={org} />
      </section>
      {may('devices:read') && <WritePolicy organization={organization} />}
      <SaveChanges form={form} label={organization.label} />
    </form>
  )
}

type FromAboveProps = { org: string; where: string | null | undefined; children?: ReactNode }

/** A rule that holds here because an organization above has it. */
function FromAbove({ org, where, children }: FromAboveProps) {
  const t = useWords()
  if (!where || where === org) return null
  return (
    <p className={classes.hint}>
      {t('organizations.ruleFrom', { where })} {children}
    </p>
  )
}

function Addresses({ form, disabled }: { form: OrganizationForm; disabled: boolean }) {
  const t = useWords()
  const [mine] = useQuery(query(api.core.myIp, {})).data ?? []
  const { ipAddressesWhitelist: addresses } = form.values
  const wrong = form.failure?.fields
  const error =
    form.errorOf('ipAddressesWhitelist') ??
    addresses
      .map((address, place) => wrong?.[`ipAddressesWhitelist.${place}`] && address)
      .find(Boolean)
  return (
    <div className={classes.field}>
      <TagsInput
        label={t('organizations.addresses')}
        description={t('organizations.addressesHelp')}
        placeholder={addresses.length === 0 ? '203.0.113.7, 10.0.0.0/8' : ''}
        value={addresses}
        disabled={disabled}
        splitChars={[',', ' ', ';']}
        acceptValueOnBlur
        error={error && t('organizations.addressWrong', { address: error })}
        onChange={(value) => form.set('ipAddressesWhitelist', value)}
      />
      {mine !== undefined && !addresses.includes(mine) && !disabled && (
        <div>
          <Button
            variant="default"
            size="compact-sm"
            onClick={() => form.set('ipAddressesWhitelist', [...addresses, mine])}
          >
            {t('organizations.addMine', { address: mine })}
          </Button>
        </div>
      )}
      <Effects effects={form.effectsOf('ipAddressesWhitelist')} />
    </div>
  )
}
