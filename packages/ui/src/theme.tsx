import './styles.css'
import { createTheme, type CSSVariablesResolver, MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { rampOf } from './colors.ts'
import { frameColors } from './frame-colors.ts'

const { light, dark } = frameColors
const ink = light.text

const productTheme = createTheme({
  primaryColor: 'brand',
  primaryShade: 6,
  black: ink,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'DejaVu Sans Mono', Menlo, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '18px' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.45', lg: '1.4', xl: '1.3' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '18px', lineHeight: '1.3' },
      h2: { fontSize: '15px', lineHeight: '1.35' },
      h3: { fontSize: '13px', lineHeight: '1.4' },
    },
  },
  radius: { xs: '3px', sm: '5px', md: '6px', lg: '8px', xl: '12px' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  colors: {
    gray: [
      '#f5f7fa',
      '#edf0f5',
      '#e2e7ee',
      '#d3dae4',
      '#bfc8d5',
      '#8b96a7',
      '#5c677a',
      '#454f61',
      '#2c3545',
      '#1a2130',
    ],
    dark: [
      '#dde3ed',
      '#bac3d1',
      '#98a3b5',
      '#76818f',
      '#303a4a',
      '#262f3d',
      '#19212d',
      '#0f141d',
      '#0a0e15',
      '#070a10',
    ],
  },
  components: {
    Button: { defaultProps: { size: 'xs' }, styles: { label: { fontWeight: 600 } } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    FileInput: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', comboboxProps: { shadow: 'md' } } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    Switch: { defaultProps: { size: 'sm' } },
    Tooltip: {
      defaultProps: { openDelay: 300, events: { hover: true, focus: true, touch: true } },
    },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
    Modal: {
      defaultProps: {
        centered: true,
        transitionProps: { duration: 120 },
        overlayProps: { backgroundOpacity: 0.35 },
      },
      styles: { title: { fontSize: '15px', fontWeight: 600, lineHeight: 1.35 } },
    },
    Kbd: { styles: { root: { fontFamily: 'inherit' } } },
    Badge: {
      defaultProps: { radius: 'sm', variant: 'light' },
      styles: { root: { textTransform: 'none' } },
    },
  },
})

/** Surfaces and states of the product; the organization's colour never changes the states. */
const surfaces: CSSVariablesResolver = () => ({
  variables: { '--lr-radius': '8px' },
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': ink,
    '--mantine-color-dimmed': '#5c677a',
    '--mantine-color-placeholder': '#5c677a',
    '--mantine-color-anchor': 'var(--mantine-color-brand-7)',
    '--mantine-color-default-border': '#c9d1dc',
    '--lr-nav': light.navigation,
    '--lr-nav-active': 'color-mix(in srgb, var(--mantine-color-brand-6) 34%, #111a2b)',
    '--lr-nav-bar': 'var(--mantine-color-brand-4)',
    '--lr-page': light.page,
    '--lr-panel': light.panel,
    '--lr-head': '#f5f7fa',
    '--lr-line': light.line,
    '--lr-hover': '#f4f7fb',
    '--lr-selected': 'color-mix(in srgb, var(--mantine-color-brand-6) 9%, #ffffff)',
    '--lr-ok': '#127a55',
    '--lr-warning': '#b25300',
    '--mantine-color-error': '#c2232e',
    '--lr-alarm': '#c2232e',
    '--lr-off': '#6b7688',
    '--lr-ok-soft': '#dcf3e8',
    '--lr-warning-soft': '#fdeed5',
    '--lr-alarm-soft': '#fde3e4',
    '--lr-off-soft': '#e9edf2',
  },
  dark: {
    '--mantine-color-body': '#121822',
    '--mantine-color-text': '#e3e8f0',
    '--mantine-color-dimmed': '#98a3b5',
    '--mantine-color-placeholder': '#98a3b5',
    '--mantine-color-anchor': 'var(--mantine-color-brand-3)',
    '--mantine-color-default': '#19212d',
    '--mantine-color-default-hover': '#212a38',
    '--mantine-color-default-border': '#354052',
    '--lr-nav': dark.navigation,
    '--lr-nav-active': 'color-mix(in srgb, var(--mantine-color-brand-6) 34%, #0a0e15)',
    '--lr-nav-bar': 'var(--mantine-color-brand-4)',
    '--lr-page': dark.page,
    '--lr-panel': dark.panel,
    '--lr-head': '#161d28',
    '--lr-line': dark.line,
    '--lr-hover': '#182029',
    '--lr-selected': 'color-mix(in srgb, var(--mantine-color-brand-6) 24%, #121822)',
    '--lr-ok': '#34c38f',
    '--lr-warning': '#f5a83c',
    '--mantine-color-error': '#fa6671',
    '--lr-alarm': '#fa6671',
    '--lr-off': '#7d8899',
    '--lr-ok-soft': '#0f3227',
    '--lr-warning-soft': '#3d2a0c',
    '--lr-alarm-soft': '#431a20',
    '--lr-off-soft': '#222b38',
  },
})

type ThemeProps = {
  /** The organization's colour as a hex code. */
  brand?: string
  scheme: 'light' | 'dark'
  children: ReactNode
}

const defaultBrand = '#1c6fd4'

/** The product's theme with the colour of one organization. */
export function Theme({ brand = defaultBrand, scheme, children }: ThemeProps) {
  return (
    <MantineProvider
      theme={{ ...productTheme, colors: { ...productTheme.colors, brand: rampOf(brand) } }}
      cssVariablesResolver={surfaces}
      forceColorScheme={scheme}
      deduplicateCssVariables={false}
    >
      {children}
    </MantineProvider>
  )
}
