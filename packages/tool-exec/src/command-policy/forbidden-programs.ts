import { deny, type Objection } from "./objection.js";
import { wordList } from "./word-list.js";

/**
 * Objects to programs for privileges, devices, mounts and system administration. No setting and no approval lifts it.
 */
export function objectToForbidden(name: string): Objection | undefined {
  const program = name.slice(name.lastIndexOf("/") + 1);
  const isForbidden = forbidden.has(program) || /^mkfs(?:\.|$)/.test(program);
  return isForbidden ? deny(`${program} administers the system, which is never allowed`) : undefined;
}

const forbidden: ReadonlySet<string> = new Set(
  wordList(
    // Privileges.
    "sudo sudoedit su doas pkexec runuser setpriv capsh setcap newgrp sg chroot nsenter unshare machinectl",
    // Devices and mounts.
    "mount umount fusermount fusermount3 losetup cryptsetup fdisk sfdisk cfdisk parted gdisk sgdisk mkswap swapon",
    "swapoff wipefs blkdiscard hdparm mdadm lvm pvcreate vgcreate lvcreate dmsetup mknod insmod rmmod modprobe",
    // Administration.
    "systemctl service init telinit reboot shutdown halt poweroff kexec sysctl iptables ip6tables nft ufw",
    "useradd userdel usermod groupadd groupdel groupmod adduser deluser addgroup delgroup passwd chpasswd chage",
    "visudo vipw vigr crontab at batch update-grub grub-install debugfs tune2fs",
  ),
);
