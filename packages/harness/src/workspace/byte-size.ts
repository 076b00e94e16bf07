/** A number of bytes for a reader: `512 B`, `24.1 KB`, `3.2 MB`; 1024-based, one decimal (spec 04 §8). */
export function formatByteSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes.toFixed(1)} KB` : `${(kilobytes / 1024).toFixed(1)} MB`;
}
