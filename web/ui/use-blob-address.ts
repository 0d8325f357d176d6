import { useEffect, useState } from 'react';

/** An address for a picture that this phone holds, of which each reading gives another copy; undefined until it has one. */
export function useBlobAddress(latest: Blob): string | undefined {
  const [blob] = useState(latest);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [blob]);
  return address;
}
