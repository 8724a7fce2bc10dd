/** The product's sign. */
export function Logo({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="var(--mantine-color-brand-6)" />
      <g fill="none" stroke="#fff" strokeLinecap="round" strokeLinejoin="round">
        <path d="M9 8v13.5h6" strokeWidth="3.4" />
        <path d="M15 15.5a6 6 0 0 1 6 6M15 9.5a12 12 0 0 1 12 12" strokeWidth="2.6" opacity=".85" />
      </g>
    </svg>
  )
}
