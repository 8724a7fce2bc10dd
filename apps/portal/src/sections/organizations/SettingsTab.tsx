import { useWords } from '@longreach/ui/use-words'
import { Select, TextInput } from '@mantine/core'
import { type Organization, useMay } from '../../parts/session/session.ts'
import { startPageOf, startPages } from '../../parts/look/start-page.ts'
import type { ValueName } from './change-rules.ts'
import { Effects } from './Effects.tsx'
import { FlagField } from './FlagField.tsx'
import { parentOf, useGrantsAbove } from './organization-calls.ts'
import shared from './organizations.module.css'
import classes from './SettingsTab.module.css'
import { SaveChanges } from './SaveChanges.tsx'
import { type OrganizationForm, useOrganizationForm } from './use-organization-form.ts'

const names: readonly ValueName[] = [
  'label',
  'startPage',
  'dataEnabled',
  'vpnEnabled',
  'vpnOtpRequired',
  'storeEnabled',
  'dealer',
  'hostnameAllowed',
  'hostname',
]

/** Name and flags of an organization; each says what turning it would do before it is saved. */
export function SettingsTab({ organization }: { organization: Organization }) {
  const t = useWords()
  const may = useMay()('organizations:update')
  const form = useOrganizationForm(organization, names)
  return (
    <form className={shared.form} noValidate onSubmit={(event) => event.preventDefault()}>
      {!may && <p className={shared.hint}>{t('organizations.mayNotUpdate')}</p>}
      <fieldset disabled={!may} className={classes.fields}>
        <TextInput
          label={t('organizations.label')}
          value={form.values.label}
          maxLength={255}
          error={
            form.errorOf('label') ??
            (form.values.label.trim() === '' && t('organizations.labelNeeded'))
          }
          onChange={(event) => form.set('label', event.currentTarget.value)}
        />
        <Select
          label={t('organizations.startPage')}
          description={t('organizations.startPageHelp')}
          disabled={!may}
          data={startPages.map((value) => ({
            value,
            label: t(`organizations.startPage.${value}`),
          }))}
          value={form.values.startPage}
          allowDeselect={false}
          onChange={(value) => form.set('startPage', startPageOf(value ?? '') ?? 'HOME')}
        />
        <Flags form={form} organization={organization} may={may} />
        <Hostname form={form} organization={organization} />
      </fieldset>
      <SaveChanges form={form} label={organization.label} />
    </form>
  )
}

type PartProps = { form: OrganizationForm; organization: Organization }

function Flags({ form, organization, may }: PartProps & { may: boolean }) {
  const t = useWords()
  const grants = useGrantsAbove(organization.resourceId)
  const lacking = (granted: boolean | undefined) =>
    granted === false ? t('organizations.notAbove') : undefined
  return (
    <>
      <section className={shared.group}>
        <h3>{t('organizations.group.features')}</h3>
        <FlagField
          form={form}
          name="dataEnabled"
          disabled={!may}
          reason={lacking(grants?.allowEnableIotOnSuborg)}
        />
        <FlagField
          form={form}
          name="vpnEnabled"
          disabled={!may}
          reason={lacking(grants?.allowEnableVpnOnSuborg)}
        />
        <FlagField form={form} name="vpnOtpRequired" disabled={!may} />
        <FlagField
          form={form}
          name="storeEnabled"
          disabled={!may}
          reason={lacking(grants?.allowEnableStoreOnSuborg)}
        />
      </section>
      <section className={shared.group}>
        <h3>{t('organizations.group.place')}</h3>
        <FlagField
          form={form}
          name="dealer"
          disabled={!may}
          reason={lacking(grants?.allowEnableDealerOnSuborg)}
        />
        <FlagField
          form={form}
          name="hostnameAllowed"
          disabled={!may}
          reason={lacking(grants?.allowEnableHostnameOnSuborg)}
        />
      </section>
    </>
  )
}

function Hostname({ form, organization }: PartProps) {
  const t = useWords()
  const root = parentOf(organization.resourceId) === undefined
  const allowed = root || form.values.hostnameAllowed
  return (
    <div className={shared.field}>
      <TextInput
        label={t('organizations.hostname')}
        description={t(allowed ? 'organizations.hostnameHelp' : 'organizations.hostnameNotAllowed')}
        placeholder="portal.example.org"
        disabled={!allowed}
        value={form.values.hostname}
        error={form.errorOf('hostname')}
        onChange={(event) => form.set('hostname', event.currentTarget.value)}
      />
      <Effects effects={form.effectsOf('hostname')} />
    </div>
  )
}
